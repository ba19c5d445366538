import { setTimeout as sleep } from 'node:timers/promises';
import { SqliteError, type SqliteDatabase } from './driver.ts';
import { asStoreError, failsAlone, isBusy, isConstraint } from './errors.ts';
import { assertFilesUnchanged } from './unchanged-files.ts';

/** How long a write waits for another process or for a transaction of this one, in milliseconds. */
const WRITE_PATIENCE = 2_000;
const FIRST_PAUSE = 5;
const LONGEST_PAUSE = 50;
/** How often writes that wait for a transaction are checked, in milliseconds. */
const EXPIRY_INTERVAL = 100;

interface Job {
  readonly begin: 'BEGIN' | 'BEGIN IMMEDIATE';
  readonly work: () => unknown;
  /** Whether `work` has its own transaction, and may take several turns. */
  readonly isTransaction: boolean;
  /** Whether a commit together with others has failed. */
  isSingle: boolean;
  /** `performance.now()` when it stops waiting. */
  readonly deadline: number;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

export interface WriteQueue {
  /** Runs a statement. Those of one turn of the event loop share a commit. Resolves after the commit. */
  readonly write: <Result>(statement: () => Result) => Promise<Result>;
  /** Runs `work` in its own transaction: it commits if `work` resolves, and otherwise rolls back. */
  readonly transaction: <Result>(
    work: () => Result | Promise<Result>,
    options?: {
      /** How long it waits, in milliseconds. */
      readonly patience?: number;
      /** Without the write lock: for temporary tables. */
      readonly isTemporary?: boolean;
    },
  ) => Promise<Result>;
}

/**
 * Runs the writes on `connection` one after the other. Each rejects with a ConstraintError, or with StoreUnavailable if
 * the database fails or stays locked for 2 s. Between turns of the event loop only `transaction` holds the write lock.
 * Those that are queued before `turn` resolves share a commit.
 */
export function createWriteQueue(connection: SqliteDatabase, turn: () => Promise<void>): WriteQueue {
  const waiting: Job[] = [];
  let isWorking = false;

  function add<Result>(
    begin: Job['begin'],
    work: Job['work'],
    isTransaction: boolean,
    patience = WRITE_PATIENCE,
  ): Promise<Result> {
    const deadline = performance.now() + patience;
    return new Promise((resolve, reject) => {
      waiting.push({ begin, work, isTransaction, isSingle: false, deadline, resolve, reject });
      if (!isWorking) void workOff();
    });
  }

  async function workOff(): Promise<void> {
    isWorking = true;
    await turn();
    let pause = FIRST_PAUSE;
    for (let first = waiting[0]; first; first = waiting[0]) {
      try {
        connection.prepare(first.begin).run();
      } catch (error) {
        if (isBusy(error)) {
          expire(error);
          await sleep(pause);
          pause = Math.min(pause * 2, LONGEST_PAUSE);
        } else {
          fail(waiting.splice(0), error);
        }
        continue;
      }
      pause = FIRST_PAUSE;
      if (first.isTransaction) await runTransaction(waiting.shift() as Job);
      else commitTogether(waiting.splice(0, groupLength()));
    }
    isWorking = false;
  }

  /** The number of jobs that the next commit takes. */
  function groupLength(): number {
    if (waiting[0]?.isSingle) return 1;
    const end = waiting.findIndex(({ isTransaction, isSingle }) => isTransaction || isSingle);
    return end === -1 ? waiting.length : end;
  }

  function commitTogether(jobs: readonly Job[]): void {
    const settle: (() => void)[] = [];
    try {
      for (const { work, resolve, reject } of jobs) {
        try {
          const result = work() as never;
          settle.push(() => resolve(result));
        } catch (error) {
          // SQLite has undone only this statement (https://sqlite.org/lang_conflict.html).
          if (!connection.inTransaction || !failsAlone(error)) throw error;
          settle.push(() => reject(asStoreError(error)));
        }
      }
      connection.prepare('COMMIT').run();
      assertFilesUnchanged(connection);
    } catch (error) {
      rollback();
      // One of them rolled all back, or broke a deferred constraint: which one shows if each commits alone.
      if (jobs.length > 1 && isConstraint(error)) {
        for (const job of jobs) job.isSingle = true;
        waiting.unshift(...jobs);
      } else {
        fail(jobs, error);
      }
      return;
    }
    for (const done of settle) done();
  }

  async function runTransaction({ work, resolve, reject }: Job): Promise<void> {
    const expiring = setInterval(() => expire(heldByTransaction()), EXPIRY_INTERVAL);
    try {
      const result = (await work()) as never;
      connection.prepare('COMMIT').run();
      assertFilesUnchanged(connection);
      resolve(result);
    } catch (error) {
      rollback();
      reject(asStoreError(error));
    } finally {
      clearInterval(expiring);
    }
  }

  function rollback(): void {
    try {
      if (connection.inTransaction) connection.exec('ROLLBACK');
    } catch {
      // The next BEGIN fails, and says why.
    }
  }

  /** Rejects those that have waited for too long. */
  function expire(error: unknown): void {
    const now = performance.now();
    const expired = waiting.filter(({ deadline }) => deadline <= now);
    if (expired.length === 0) return;
    waiting.splice(0, waiting.length, ...waiting.filter(({ deadline }) => deadline > now));
    fail(expired, error);
  }

  return {
    write: (work) => add('BEGIN IMMEDIATE', work, false),
    transaction: (work, { patience, isTemporary = false } = {}) =>
      add(isTemporary ? 'BEGIN' : 'BEGIN IMMEDIATE', work, true, patience),
  };
}

function fail(jobs: readonly Job[], error: unknown): void {
  for (const { reject } of jobs) reject(asStoreError(error));
}

function heldByTransaction(): Error {
  return new SqliteError(
    'SQLITE_BUSY',
    'a transaction of this process is open for longer than 2 s; inside a transaction use its own query',
  );
}
