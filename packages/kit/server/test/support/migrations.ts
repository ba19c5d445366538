import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Database } from '../../src/database/sql.ts';
import type { ServiceDefinition } from '../../src/feature.ts';
import { library } from '../library/library.ts';
import { newFolder } from '@contract-kit/test-support/testing';

/** The migrations of a feature, in order. Those of one engine may differ. */
type Statements = readonly (string | Readonly<Record<'sqlite' | 'postgres', string>>)[];

/** A folder with these migrations. */
export function migrationsWith(...statements: Statements): string {
  const folder = newFolder();
  for (const engine of ['sqlite', 'postgres'] as const) {
    mkdirSync(path.join(folder, engine));
    for (const [index, sql] of statements.entries()) {
      const file = path.join(folder, engine, `${String(index + 1).padStart(4, '0')}-made.sql`);
      writeFileSync(file, typeof sql === 'string' ? sql : sql[engine]);
    }
  }
  return folder;
}

/** The library with other features: each has these migrations, and its store is its database. */
export function serviceWith(
  features: Readonly<Record<string, Statements>>,
  name = 'library',
): ServiceDefinition {
  const made = Object.entries(features).map(([feature, statements]) => {
    const migrations = migrationsWith(...statements);
    return [feature, { migrations, open: (database: Database) => database, handlers: () => ({}) }] as const;
  });
  return { ...library, contract: { ...library.contract, name }, features: Object.fromEntries(made) };
}
