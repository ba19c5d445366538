/**
 * The limit of a cancel: better-sqlite3 alone, which commits one order after the other as the service does.
 * `node bare-commit.js DATABASE FIRST SECONDS`; prints what it did.
 */
import Database from 'better-sqlite3';

/** `cpu` in microseconds. */
export interface CommitReport {
  readonly requests: number;
  readonly seconds: number;
  readonly cpu: number;
}

const [file = '', first, seconds] = process.argv.slice(2);
const database = new Database(file, { fileMustExist: true });
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
const cancel = database.prepare(
  `UPDATE orders SET status = 'cancelled', cancelled_by = ?, cancelled_at = ? WHERE id = ? AND status = 'pending'`,
);

const cpuBefore = process.cpuUsage();
const started = performance.now();
const end = started + Number(seconds) * 1000;
let id = Number(first);
for (; performance.now() < end; id += 1) {
  if (cancel.run('key_bench', new Date().toISOString(), id).changes !== 1)
    throw new Error(`no order ${id} is pending`);
}
const elapsed = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage(cpuBefore);
database.close();
const report: CommitReport = { requests: id - Number(first), seconds: elapsed, cpu: user + system };
console.log(JSON.stringify(report));
