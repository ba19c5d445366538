import { setTimeout as sleep } from 'node:timers/promises';
import type { SqliteDatabase } from './driver.ts';
import { asStoreError, isBusy } from './errors.ts';
import { assertFilesUnchangedThisTurn } from './unchanged-files.ts';

const FIRST_PAUSE = 5;
const LONGEST_PAUSE = 50;
const PATIENCE = 2_000;

/**
 * The result of `read`; a promise if another process has locked the database, which is retried for 2 s. Throws
 * StoreUnavailable if it fails.
 */
export function retryWhileBusy<Result>(
  database: SqliteDatabase,
  read: () => Result,
): Result | Promise<Result> {
  try {
    const result = read();
    assertFilesUnchangedThisTurn(database);
    return result;
  } catch (error) {
    if (!isBusy(error)) throw asStoreError(error);
    return retry(database, read);
  }
}

async function retry<Result>(database: SqliteDatabase, read: () => Result): Promise<Result> {
  const deadline = performance.now() + PATIENCE;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    await sleep(pause);
    try {
      const result = read();
      assertFilesUnchangedThisTurn(database);
      return result;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw asStoreError(error);
    }
  }
}
