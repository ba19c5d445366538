import { existsSync } from 'node:fs';
import { keepTemporaryFilesIn, readConfig } from '../config.ts';
import { filesIn } from '../data-dir.ts';
import { SetupError } from '../setup-error.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';

/** Opens the configured store for one command. Throws a SetupError if there is none and it `mayCreate` none. */
export async function withStore<Result>(
  work: (store: Store) => Promise<Result>,
  { mayCreate = false } = {},
): Promise<Result> {
  const config = readConfig();
  const file = filesIn(config.dataDir).store;
  if (config.databaseUrl === undefined && !mayCreate && !existsSync(file)) {
    throw new SetupError(
      `there is no store in ${config.dataDir}: set DATA_DIR to the folder of one, or begin one with \`petstore keys create\``,
    );
  }
  keepTemporaryFilesIn(config.dataDir);
  const store = await openStore(config);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
