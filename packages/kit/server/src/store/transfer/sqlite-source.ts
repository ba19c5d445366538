import { tablesIn } from '../../database/migrations.ts';
import type { SqliteDatabase } from '../../database/sqlite/driver.ts';
import { schemaOf } from '../../database/sqlite/migrate.ts';
import type { ServiceDefinition } from '../../feature.ts';
import { migrationsOf } from '../open-features.ts';
import type { StorageClass } from './column-value.ts';

export interface SourceTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of its primary key, or `rowid`. */
  readonly key: readonly string[];
  /** The highest id that it has ever issued, also for deleted rows. */
  readonly issued: number | undefined;
  readonly count: number;
}

export interface SourceRow {
  /** Such as `loan_id 7, line 2`. */
  readonly key: string;
  /** The values of the columns: an integer is decimal text, a text is its bytes. */
  readonly values: readonly { readonly storage: StorageClass; readonly value: unknown }[];
}

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Every table that migrations made, except those in which a virtual table keeps its data. */
export function sourceTables(service: ServiceDefinition, source: SqliteDatabase): SourceTable[] {
  const kinds = source.prepare<{ name: string; type: string }>(
    `SELECT name, type FROM pragma_table_list WHERE schema = 'main'`,
  );
  const shadows = new Set<string>();
  for (const { name, type } of kinds.all()) if (type === 'shadow') shadows.add(name);
  const names = tablesIn(schemaOf(source, migrationsOf(service)).rows);
  return names.filter((name) => !shadows.has(name)).map((name) => describeTable(source, name));
}

function describeTable(source: SqliteDatabase, name: string): SourceTable {
  const columns = source
    .prepare<{ name: string; pk: number }>(
      `SELECT name, pk FROM pragma_table_xinfo('${name.replaceAll("'", "''")}') WHERE hidden <> 1 ORDER BY cid`,
    )
    .all();
  const key = columns.filter(({ pk }) => pk > 0).sort((one, other) => one.pk - other.pk);
  const [issued] = source
    .prepare<{ name: string; seq: number }>('SELECT name, seq FROM sqlite_sequence')
    .all()
    .filter((sequence) => sequence.name === name);
  const [counted] = source.prepare<{ count: number }>(`SELECT count(*) AS count FROM ${quoted(name)}`).all();
  return {
    name,
    columns: columns.map((column) => column.name),
    key: key.length > 0 ? key.map((column) => column.name) : ['rowid'],
    issued: issued && Number(issued.seq),
    count: Number(counted?.count),
  };
}

/** Reads all rows of a table, one after the other. */
export function* rowsOf(source: SqliteDatabase, { name, columns, key }: SourceTable): Generator<SourceRow> {
  const values = columns.map(quoted).flatMap((column, index) => [
    `typeof(${column}) AS storage${index}`,
    // As bytes, because drivers change a text with U+0000 or bad UTF-8. As text, because numbers are rounded.
    `CASE typeof(${column}) WHEN 'text' THEN CAST(${column} AS BLOB)
       WHEN 'integer' THEN CAST(${column} AS TEXT) ELSE ${column} END AS value${index}`,
  ]);
  const keys = key.map((column, index) => `quote(${quoted(column)}) AS key${index}`);
  const sql = `SELECT ${[...keys, ...values].join(', ')} FROM ${quoted(name)}`;
  for (const row of source.prepare<Record<string, unknown>>(sql).iterate()) {
    yield {
      key: key.map((column, index) => `${column} ${String(row[`key${index}`])}`).join(', '),
      values: columns.map((_, index) => ({
        storage: row[`storage${index}`] as StorageClass,
        value: row[`value${index}`],
      })),
    };
  }
}
