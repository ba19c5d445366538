import { setTimeout as sleep } from 'node:timers/promises';
import { asConstraintError } from '../constraint-error.ts';
import { StoreUnavailable } from '../store-unavailable.ts';
import { sqliteCodeOf, type SqliteDatabase } from './driver.ts';
import { assertFilesUnchanged } from './unchanged-files.ts';

const FIRST_PAUSE = 5;
const LONGEST_PAUSE = 50;
const PATIENCE = 2_000;

/** Runs `statement`, retrying for 2 s while another process writes. Throws StoreUnavailable if it fails. */
export async function retryWhileBusy<Result>(
  database: SqliteDatabase,
  statement: () => Result,
): Promise<Result> {
  const deadline = performance.now() + PATIENCE;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    try {
      const result = statement();
      assertFilesUnchanged(database);
      return result;
    } catch (error) {
      const code = sqliteCodeOf(error);
      const known = asConstraintError(error);
      if (code === undefined || known !== error) throw known;
      if (code !== 'SQLITE_BUSY' || performance.now() > deadline) throw new StoreUnavailable(error);
    }
    await sleep(pause);
  }
}
