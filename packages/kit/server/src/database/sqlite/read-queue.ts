import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { SqliteDatabase } from './driver.ts';
import { asStoreError, isBusy } from './errors.ts';
import { assertFilesUnchanged } from './unchanged-files.ts';

/** How long a read is retried while another process has locked the database, in milliseconds. */
const PATIENCE = 2_000;
const FIRST_PAUSE = 5;
const LONGEST_PAUSE = 50;

interface Job {
  readonly read: () => unknown;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Returns a function that runs a statement which reads. Those of one turn of the event loop run after it and share a
 * snapshot, whose locks take longer than a short read. Rejects with StoreUnavailable if the database fails or stays
 * locked for 2 s.
 */
export function createReadQueue(connection: SqliteDatabase): <Result>(read: () => Result) => Promise<Result> {
  const waiting: Job[] = [];

  async function readTogether(): Promise<void> {
    await nextTurn();
    const deadline = performance.now() + PATIENCE;
    let jobs = waiting.splice(0);
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
    for (const done of settle) done();
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

  return (read) =>
    new Promise((resolve, reject) => {
      waiting.push({ read, resolve, reject });
      if (waiting.length === 1) void readTogether();
    });
}
