import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SqliteDatabase } from './database.ts';
import { retryWhileBusy } from './retry.ts';

export type GroupCommit = <Result>(step: () => Result) => Promise<Result>;

interface Waiting {
  readonly step: () => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs the steps that are asked for in one turn of the event loop in one transaction, in the order they came in. They
 * share one lock and, where they write, one sync to disk, instead of one each; none has its result before the
 * transaction is committed. A transaction that fails fails for all of them, and nothing of it stays.
 */
export function groupCommit(database: SqliteDatabase, behaviour: 'deferred' | 'immediate'): GroupCommit {
  let waiting: Waiting[] = [];
  const runAll = database.transaction((all: readonly Waiting[]) => all.map(({ step }) => step()));

  async function flush(): Promise<void> {
    await nextTurn();
    const all = waiting;
    waiting = [];
    try {
      const results = await retryWhileBusy(database, () => runAll[behaviour](all));
      for (const [index, { resolve }] of all.entries()) resolve(results[index] as never);
    } catch (error) {
      for (const { reject } of all) reject(error);
    }
  }

  return <Result>(step: () => Result) =>
    new Promise<Result>((resolve, reject) => {
      if (waiting.push({ step, resolve, reject }) === 1) void flush();
    });
}
