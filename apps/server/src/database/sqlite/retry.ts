import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../store-unavailable.ts';
import { sqliteCodeOf, type SqliteDatabase } from './database.ts';
import { assertInPlace } from './in-place.ts';

const FIRST_PAUSE = 5;
const LONGEST_PAUSE = 50;
const PATIENCE = 2_000;

/**
 * Runs `statement`, again and again while another process holds the write lock, without blocking the event loop in
 * between. Throws StoreUnavailable after two seconds, when the database fails in any other way, and where its files
 * were taken away, so that nothing is acknowledged that is written to no file.
 */
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
