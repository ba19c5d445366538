/**
 * The limit of a long list: the database alone, without a server. `node database-json.js DATABASE`; prints how long
 * SQLite takes to make the list's JSON itself.
 */
import Database from 'better-sqlite3';

/** The time in milliseconds. */
export interface JsonReport {
  readonly time: number;
  readonly bytes: number;
}

const [file = ''] = process.argv.slice(2);
const database = new Database(file, { readonly: true });
const whole = database
  .prepare<[], string>(
    `SELECT '[' || group_concat('{"id":' || id || ifnull(',"petId":' || pet_id, '') || ifnull(',"quantity":' || quantity, '')
       || ifnull(',"shipDate":"' || ship_date || '"', '') || ifnull(',"complete":' || iif(complete, 'true', 'false'), '')
       || '}') || ']'
     FROM (SELECT * FROM orders ORDER BY id)`,
  )
  .pluck();

// So that the file is in memory.
database.prepare('SELECT max(quantity) FROM orders').get();
const started = performance.now();
const bytes = Buffer.byteLength(whole.get() ?? '');
const report: JsonReport = { time: performance.now() - started, bytes };
console.log(JSON.stringify(report));
