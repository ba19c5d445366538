import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { OperatorError } from '../operator-error.ts';

/** The migrations of a service: the kit's own, then those of its features. */
export interface Migrations {
  /** The name of the service, which its database records. */
  readonly service: string;
  /** The folder of each feature, with `sqlite/` and `postgres/`, in the order of the features. */
  readonly features: Readonly<Record<string, string>>;
  /** The parts of the kit that it uses and that have tables of their own. */
  readonly parts?: readonly ('feed' | 'jobs')[];
}

export type Engine = 'sqlite' | 'postgres';

/** The table in which a database records what its migrations made. */
export const SCHEMA_TABLE = 'service_schema';

/** What the name of a part's migrations begins with. A service that does not use the part any more keeps its tables. */
const PART = 'kit/';

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
  { service, features, parts = [] }: Migrations,
  rows: readonly SchemaRow[],
  tables: readonly string[],
  what: string,
): MissingMigrations[] {
  const other = rows.find((row) => row.service !== service);
  if (other) throw new OperatorError(`${what} belongs to the service ${other.service}, not to ${service}`);
  const lost = tablesIn(rows).find((name) => !tables.includes(name));
  if (lost !== undefined)
    throw new OperatorError(`${what} is incomplete: the table ${lost} is missing. Restore a backup`);
  const kit = path.join(import.meta.dirname, 'migrations');
  const ofParts = Object.fromEntries(parts.map((part) => [PART + part, path.join(kit, part)]));
  const folders: Readonly<Record<string, string>> = { '': kit, ...ofParts, ...features };
  const newer = rows.find(
    ({ feature, tables: own }) =>
      !feature.startsWith(PART) && !Object.hasOwn(folders, feature) && own !== '[]',
  );
  if (newer) throw isNewer(what, `it has tables of the feature ${newer.feature}`);
  return Object.entries(folders).flatMap(([feature, folder]) => {
    const files = migrationsIn(folder, engine);
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

interface MigrationFile {
  readonly number: number;
  readonly file: string;
}

/** A path from the folder of the feature on: a service that was built reads copies of the files that its sources have. */
const fromFeature = (engineFolder: string, file = engineFolder): string =>
  path.relative(path.resolve(engineFolder, '../../..'), file);

/** Each engine's name, the other engine's folder, and how to use the other engine. */
const ENGINES = {
  sqlite: { name: 'SQLite', other: 'postgres', switching: 'set DATABASE_URL to use PostgreSQL' },
  postgres: { name: 'PostgreSQL', other: 'sqlite', switching: 'unset DATABASE_URL to use SQLite' },
} as const;

/** The migrations of a feature in order. It may support one engine only. Throws an OperatorError that names a wrong file. */
function migrationsIn(folder: string, engine: Engine): MigrationFile[] {
  const { name, other, switching } = ENGINES[engine];
  const [own, others] = [path.join(folder, engine), path.join(folder, other)];
  const hasOthers = existsSync(others);
  if (!existsSync(own))
    throw new OperatorError(
      `the folder ${fromFeature(own)} is missing: add the migrations for ${name}${hasOthers ? `, or ${switching}` : ''}`,
    );
  const files = filesIn(own);
  if (hasOthers) {
    const counterparts = filesIn(others);
    assertAllIn(own, files, counterparts);
    assertAllIn(others, counterparts, files);
  }
  return files;
}

/** Otherwise one engine lacks a change, which shows only when a statement needs it there. */
function assertAllIn(
  folder: string,
  files: readonly MigrationFile[],
  needed: readonly MigrationFile[],
): void {
  const missing = needed.find(({ number }) => !files.some((file) => file.number === number));
  if (missing)
    throw new OperatorError(
      `the migration ${fromFeature(folder, path.join(folder, path.basename(missing.file)))} is missing, the counterpart of ${fromFeature(folder, missing.file)}: add it. If nothing changes there, it holds only a comment`,
    );
}

/** The migrations in a folder, which may also have other files, such as a README or an editor's. */
function filesIn(folder: string): MigrationFile[] {
  const names = readdirSync(folder).filter((name) => /^[^.].*\.sql$/i.test(name));
  return names.sort().map((name, index) => {
    const file = path.join(folder, name);
    if (!/^(?!0000)\d{4}-.*\.sql$/.test(name))
      throw new OperatorError(
        `the migration ${fromFeature(folder, file)} has a wrong name: rename it to four digits from 0001, a hyphen and a name, such as 0001-notes.sql`,
      );
    const number = Number.parseInt(name, 10);
    const before = names[index - 1];
    if (before !== undefined && Number.parseInt(before, 10) === number)
      throw new OperatorError(
        `the migrations ${fromFeature(folder, file)} and ${before} have the same number: give the newer one the next number, for both databases`,
      );
    return { number, file };
  });
}
