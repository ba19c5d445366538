import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { OperatorError } from '../operator-error.ts';

/** The migrations of a service: the kit's own, then those of its features. */
export interface Migrations {
  /** The name of the service, which its database records. */
  readonly service: string;
  /** The folder of each feature, with `sqlite/` and `postgres/`, in the order of the features. */
  readonly features: Readonly<Record<string, string>>;
}

export type Engine = 'sqlite' | 'postgres';

/** The table in which a database records what its migrations made. */
export const SCHEMA_TABLE = 'service_schema';

/** A row of SCHEMA_TABLE. The kit's own migrations are those of the feature ''. */
export interface SchemaRow {
  readonly service: string;
  readonly feature: string;
  readonly version: number;
  /** The tables that its migrations made, as JSON. */
  readonly tables: string;
}

/** The migrations of a feature that a database lacks. */
export interface MissingMigrations {
  readonly feature: string;
  readonly version: number;
  readonly sql: readonly string[];
}

/** An error about `what`, a database that an unreleased program made. */
export const madeBeforeRelease = (what: string): OperatorError =>
  new OperatorError(`${what} was made before the first release, and cannot be used: move it away`);

/** The names of all tables that the migrations made, those of the kit first. */
export const tablesIn = (rows: readonly SchemaRow[]): string[] =>
  rows.flatMap(({ tables }) => JSON.parse(tables) as string[]);

/**
 * The migrations that are missing in a database with these `rows` and `tables`, in order. Throws an OperatorError about
 * `what` if this program cannot use it.
 */
export function missingMigrations(
  engine: Engine,
  { service, features }: Migrations,
  rows: readonly SchemaRow[],
  tables: readonly string[],
  what: string,
): MissingMigrations[] {
  const other = rows.find((row) => row.service !== service);
  if (other) throw new OperatorError(`${what} belongs to the service ${other.service}, not to ${service}`);
  const lost = tablesIn(rows).find((name) => !tables.includes(name));
  if (lost !== undefined)
    throw new OperatorError(`${what} is incomplete: the table ${lost} is missing. Restore a backup`);
  const folders = { '': path.join(import.meta.dirname, 'migrations'), ...features };
  const newer = rows.find(({ feature, tables: own }) => !Object.hasOwn(folders, feature) && own !== '[]');
  if (newer) throw isNewer(what, `it has tables of the feature ${newer.feature}`);
  return Object.entries(folders).flatMap(([feature, folder]) => {
    const files = filesIn(path.join(folder, engine));
    const latest = files.at(-1)?.number ?? 0;
    const version = rows.find((row) => row.feature === feature)?.version ?? 0;
    if (version > latest)
      throw isNewer(
        what,
        `schema ${version} of ${feature ? `the feature ${feature}` : 'the kit'}, known up to ${latest}`,
      );
    const sql = files.filter(({ number }) => number > version).map(({ file }) => readFileSync(file, 'utf8'));
    return sql.length === 0 ? [] : [{ feature, version: latest, sql }];
  });
}

/** The rows after `missing` migrations turned the tables `before` into `after`. */
export function rowsAfter(
  rows: readonly SchemaRow[],
  { service }: Migrations,
  { feature, version }: MissingMigrations,
  before: readonly string[],
  after: readonly string[],
): SchemaRow[] {
  const made = after.filter((name) => !before.includes(name));
  const isKnown = rows.some((row) => row.feature === feature);
  const all = isKnown ? rows : [...rows, { service, feature, version, tables: '[]' }];
  return all.map((row) => {
    const kept = tablesIn([row]).filter((name) => after.includes(name));
    if (row.feature !== feature) return { ...row, tables: JSON.stringify(kept) };
    return { ...row, version, tables: JSON.stringify([...kept, ...made]) };
  });
}

function isNewer(what: string, how: string): OperatorError {
  return new OperatorError(
    `${what} is newer than this program (${how}): run the newer program, or roll back to an older backup, as docs/operating.md says`,
  );
}

function filesIn(folder: string): { readonly number: number; readonly file: string }[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  return names.sort().map((name) => ({ number: Number.parseInt(name, 10), file: path.join(folder, name) }));
}
