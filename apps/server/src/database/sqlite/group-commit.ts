import { grouped } from '../grouped.ts';
import type { SqliteDatabase } from './database.ts';
import { retryWhileBusy } from './retry.ts';

export type GroupCommit = <Result>(step: () => Result) => Promise<Result>;

/**
 * Runs the steps that are asked for in one turn of the event loop in one transaction, in the order they came in. They
 * share one lock and, where they write, one sync to disk, instead of one each; none has its result before the
 * transaction is committed. A transaction that fails fails for all of them, and nothing of it stays.
 */
export function groupCommit(database: SqliteDatabase, behaviour: 'deferred' | 'immediate'): GroupCommit {
  const runAll = database.transaction((steps: readonly (() => unknown)[]) => steps.map((step) => step()));
  const run = grouped((steps: readonly (() => unknown)[]) =>
    retryWhileBusy(database, () => runAll[behaviour](steps)),
  );
  return run as GroupCommit;
}
