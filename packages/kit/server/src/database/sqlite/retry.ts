import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../store-unavailable.ts';
import { sqliteCodeOf, type SqliteDatabase } from './database.ts';
import { assertInPlace } from './in-place.ts';

const FIRST_PAUSE = 5;
const LONGEST_PAUSE = 50;
const PATIENCE = 2_000;

/** Runs `statement`, retrying for 2 s while another process writes. Throws StoreUnavailable if it cannot be done. */
export async function retryWhileBusy<Result>(
  database: SqliteDatabase,
  statement: () => Result,
): Promise<Result> {
  const deadline = performance.now() + PATIENCE;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    try {
      const result = statement();
      assertInPlace(database);
      return result;
    } catch (error) {
      const code = sqliteCodeOf(error);
      if (code === undefined) throw error;
      if (!code.startsWith('SQLITE_BUSY') || performance.now() > deadline) throw new StoreUnavailable(error);
    }
    await sleep(pause);
  }
}
