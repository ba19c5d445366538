import { readConfig } from '../config.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';

/** Opens the configured store for one command, and closes it whatever happens. A server may run beside it. */
export async function withStore<Result>(work: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openStore({ ...readConfig(), onError: () => {} });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
