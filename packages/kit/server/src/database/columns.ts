/** The column of a field and its type. SQLite has numbers for booleans. */
export interface Column {
  readonly column: string;
  readonly holds: 'integer' | 'text' | 'boolean';
}

/** A column for each field of `Item`, its id first. A field without a column does not compile. */
export type Columns<Item> = Readonly<Record<keyof Item & string, Column>>;

/** A table. Its SQL, rows and imports derive from this. */
export interface Table<Item> {
  readonly name: string;
  readonly columns: Columns<Item>;
}

export type Row = Readonly<Record<string, unknown>>;

export function columnNames<Item>({ columns }: Table<Item>): string[] {
  return Object.values<Column>(columns).map(({ column }) => column);
}

/** The item of a row. A null column is an absent field. */
export function itemOf<Item>({ columns }: Table<Item>, row: Row): Item {
  const item: Record<string, unknown> = {};
  for (const [field, { column, holds }] of Object.entries<Column>(columns)) {
    const value = row[column];
    if (value !== null) item[field] = holds === 'boolean' ? Boolean(value) : value;
  }
  return item as Item;
}

/** The row of an item, with numbers for booleans and null for absent fields. */
export function rowOf<Item>({ columns }: Table<Item>, item: Item): Row {
  const row: Record<string, unknown> = {};
  for (const [field, { column }] of Object.entries<Column>(columns)) {
    const value = item[field as keyof Item] ?? null;
    row[column] = typeof value === 'boolean' ? Number(value) : value;
  }
  return row;
}

/** The SQL of an item as JSON text without null fields. `quote` makes a JSON string in the engine's SQL. */
export function jsonSql<Item>(columns: Columns<Item>, quote: (column: string) => string): string {
  const members = Object.entries<Column>(columns).map(([field, { column, holds }], index) => {
    const name = `${index === 0 ? '' : ','}"${field}":`;
    if (holds === 'boolean')
      return `CASE WHEN ${column} THEN '${name}true' WHEN NOT ${column} THEN '${name}false' ELSE '' END`;
    const json = holds === 'text' ? quote(column) : column;
    return `CASE WHEN ${column} IS NULL THEN '' ELSE '${name}' || ${json} END`;
  });
  return [`'{'`, ...members, `'}'`].join(' || ');
}
