/* SQLite, for statements that only it can run. Loading this loads its driver. */
export type { SqliteDatabase } from './database/sqlite/database.ts';
export { retryWhileBusy } from './database/sqlite/retry.ts';
