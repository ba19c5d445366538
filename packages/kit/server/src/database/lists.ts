import { List } from '../http/list.ts';
import { createBatchTurns } from './batch-turns.ts';
import { cachedList } from './cached-list.ts';
import { jsonSql, type Column, type Columns } from './columns.ts';
import { arrayOf, batchesFrom, firstLink, textsFrom, type Batch } from './list-links.ts';
import type { Database, ListOptions } from './sql.ts';

const BATCH_SIZE = 1_000;

export interface ListDatabase extends Pick<Database, 'engine' | 'query'> {
  /** Calls `query` once for all callers until the database begins to answer it: one that calls later gets a later answer. */
  readonly together: <Value>(query: () => Promise<Value>) => () => Promise<Value>;
}

/** Makes lists of rows that the database writes as JSON. Their batches share the turns of the event loop. */
export function createLists(database: ListDatabase): Database['list'] {
  const batchTurn = createBatchTurns();
  return <Item>(options: ListOptions<Item>): List<Item> => {
    const readBatch = batchReader(database, options);
    const begin = (onLength: (isTooLong: boolean) => void = () => {}) =>
      firstLink({ readBatch, batchTurn, onLength });

    async function* batches(): AsyncGenerator<string, void> {
      yield* textsFrom(await begin()());
    }

    const { revision } = options;
    if (revision === undefined) {
      const read = async () => {
        const first = await begin()();
        return first.next ? batchesFrom(first) : arrayOf([first.text]);
      };
      return new List({ read, batches });
    }
    const readRevision = revisionReader(database, revision);
    return new List({ read: cachedList({ ...database, readRevision, begin }), batches });
  };
}

/** Reads the batch after a key, or the first one. By key and never by OFFSET, which would read all rows before it. */
function batchReader<Item>(
  { engine, query }: Pick<Database, 'engine' | 'query'>,
  { table, columns, where = { sql: 'true', values: [] }, key = firstOf(columns) }: ListOptions<Item>,
) {
  const quote = (column: string) => `${engine === 'sqlite' ? 'json_quote' : 'to_json'}(${column})`;
  const isSingle = key.length === 1;
  // With the table's name: an alias of this statement may have the name of a column.
  const order = key.map((column) => `${table}.${column}`).join(', ');
  const selected = [
    `${jsonSql(columns, quote)} AS item`,
    ...key.map((column, index) => `${column} AS key${index}`),
    // The maximum of a single key is that of the last row.
    ...(isSingle ? [] : [`row_number() OVER (ORDER BY ${order}) AS place`]),
  ];
  const last = key.map((_, index) =>
    isSingle ? 'max(key0)' : `max(CASE WHEN place = ${BATCH_SIZE} THEN key${index} END)`,
  );
  const sqlFor = (after: string) =>
    `SELECT coalesce(string_agg(item, ','), '') AS text, count(*) AS count,
       ${last.map((value, index) => `CAST(${value} AS text) AS last${index}`).join(', ')}
     FROM (SELECT ${selected.join(', ')} FROM ${table}
           WHERE (${where.sql}) ${after} ORDER BY ${order} LIMIT ${BATCH_SIZE}) AS batch`;
  const places = key.map((_, index) => `$${where.values.length + index + 1}`);
  const first = sqlFor('');
  const next = sqlFor(`AND (${order}) > (${places.join(', ')})`);

  return async (after?: readonly string[]): Promise<Batch> => {
    const sql = after ? next : first;
    const [row] = await query<Record<string, string | number | null>>(sql, [
      ...where.values,
      ...(after ?? []),
    ]);
    return {
      text: String(row?.['text']),
      last: row?.['count'] === BATCH_SIZE ? key.map((_, index) => String(row[`last${index}`])) : undefined,
    };
  };
}

const firstOf = <Item>(columns: Columns<Item>) =>
  Object.values<Column>(columns)
    .slice(0, 1)
    .map(({ column }) => column);

function revisionReader({ engine, query }: Pick<Database, 'engine' | 'query'>, table: string) {
  // With the server's identity: a promoted standby may lack the last changes and reuse revisions.
  const server = engine === 'sqlite' ? `''` : 'pg_postmaster_start_time()';
  return async (): Promise<string> => {
    const [row] = await query<{ revision: string }>(
      `SELECT concat(revision, ' ', ${server}) AS revision FROM ${table}`,
    );
    return row?.revision ?? '';
  };
}
