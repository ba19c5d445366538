/**
 * The limit of a long list: the database alone, without a server. `node database-json.js DATABASE`; prints how long
 * SQLite takes to make the list's JSON itself, and how long better-sqlite3 and JSON.stringify take page by page.
 */
import Database from 'better-sqlite3';

/** Times in milliseconds. */
export interface JsonReport {
  readonly inSql: number;
  readonly inJavaScript: number;
  readonly bytes: number;
}

interface Row {
  id: number;
  pet_id: number;
  quantity: number;
  ship_date: string;
  complete: number;
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
const page = database.prepare<[number], Row>(
  'SELECT id, pet_id, quantity, ship_date, complete FROM orders WHERE id > ? ORDER BY id LIMIT 1000',
);

function inSql(): number {
  return Buffer.byteLength(whole.get() ?? '');
}

function inJavaScript(): number {
  let bytes = 1;
  for (let after = 0; ;) {
    const rows = page.all(after);
    const last = rows.at(-1);
    if (!last) return bytes;
    const orders = rows.map((row) => ({
      id: row.id,
      petId: row.pet_id,
      quantity: row.quantity,
      shipDate: row.ship_date,
      complete: row.complete === 1,
    }));
    bytes += JSON.stringify(orders).length - 1;
    after = last.id;
  }
}

function timed(make: () => number): { time: number; bytes: number } {
  const started = performance.now();
  const bytes = make();
  return { time: performance.now() - started, bytes };
}

// Once before, so that the file is in memory for all.
inJavaScript();
const [sql, javaScript] = [timed(inSql), timed(inJavaScript)];
if (sql.bytes !== javaScript.bytes) throw new Error('the two do not make the same list');
const report: JsonReport = { inSql: sql.time, inJavaScript: javaScript.time, bytes: sql.bytes };
console.log(JSON.stringify(report));
