import { setTimeout as sleep } from 'node:timers/promises';
import type { Services } from '@contract-kit/server';
import type { Needed } from './handlers.ts';
import type { Store } from './store.ts';

const DAY = 24 * 60 * 60_000;

/** Marks invoices that are overdue, at the start and at each midnight (UTC). */
export async function markOverdueNightly(
  { store, log, now }: Services<Store, Needed>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    log.info({ overdue: await store.markOverdue(new Date(now())) }, 'overdue invoices marked');
    await sleep(DAY - (now() % DAY), undefined, { signal });
  }
}
