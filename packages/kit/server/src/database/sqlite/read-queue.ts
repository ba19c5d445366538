import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { SqliteDatabase } from './driver.ts';
import { asStoreError, isBusy } from './errors.ts';
import { assertFilesUnchanged } from './unchanged-files.ts';

/** How long a read is retried while another process has locked the database, in milliseconds. */
const READ_PATIENCE = 2_000;
const FIRST_PAUSE = 5;
const LONGEST_PAUSE = 50;

interface Job {
  readonly read: () => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

export interface ReadQueue {
  /**
   * Runs a statement that reads. Those of one turn of the event loop run after it and share a snapshot, whose locks take
   * longer than a short read. Rejects with StoreUnavailable if the database fails or stays locked for 2 s.
   */
  readonly read: <Result>(statement: () => Result) => Promise<Result>;
  /**
   * Resolves when the callers of this turn have queued their writes: those that have just read queue them at once, and
   * one turn later they would be a separate group.
   */
  readonly turn: () => Promise<void>;
  /** Calls `query`, which reads, once for all callers until its turn to read begins. */
  readonly together: <Value>(query: () => Promise<Value>) => () => Promise<Value>;
}

export function createReadQueue(connection: SqliteDatabase): ReadQueue {
  const waiting: Job[] = [];
  /** Called when the waiting jobs begin. */
  const beginnings: (() => void)[] = [];
  let isSettling = false;

  async function readTogether(): Promise<void> {
    await nextTurn();
    const deadline = performance.now() + READ_PATIENCE;
    let jobs = waiting.splice(0);
    for (const begin of beginnings.splice(0)) begin();
    for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      jobs = readOnce(jobs, performance.now() > deadline);
      if (jobs.length === 0) return;
      await sleep(pause);
    }
  }

  /** Returns the jobs that found the database locked: none if this is the last attempt. */
  function readOnce(jobs: readonly Job[], isLast: boolean): Job[] {
    const locked: Job[] = [];
    const settle: (() => void)[] = [];
    try {
      if (jobs.length > 1) connection.prepare('BEGIN').run();
      for (const job of jobs) {
        try {
          const result = job.read() as never;
          settle.push(() => job.resolve(result));
        } catch (error) {
          if (isBusy(error) && !isLast) locked.push(job);
          else settle.push(() => job.reject(asStoreError(error)));
        }
      }
      // SQLite ends the transaction itself after some errors.
      if (connection.inTransaction) connection.prepare('COMMIT').run();
      assertFilesUnchanged(connection);
    } catch (error) {
      endTransaction();
      for (const { reject } of jobs) reject(asStoreError(error));
      return [];
    }
    isSettling = true;
    for (const done of settle) done();
    process.nextTick(() => (isSettling = false));
    return locked;
  }

  /** Otherwise later reads would see this snapshot, and could not begin another. */
  function endTransaction(): void {
    try {
      if (connection.inTransaction) connection.exec('ROLLBACK');
    } catch {
      // The next BEGIN fails, and says why.
    }
  }

  return {
    read: (statement) =>
      new Promise((resolve, reject) => {
        waiting.push({ read: statement, resolve, reject });
        if (waiting.length === 1) void readTogether();
      }),
    together(query) {
      let asked: ReturnType<typeof query> | undefined;
      return () => {
        if (!asked) {
          asked = query();
          beginnings.push(() => (asked = undefined));
        }
        return asked;
      };
    },
    turn: () => (isSettling ? new Promise((resolve) => process.nextTick(resolve)) : nextTurn()),
  };
}
