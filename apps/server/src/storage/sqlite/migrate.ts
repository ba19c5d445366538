import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { SetupError } from '../../setup-error.ts';
import type { SqliteDatabase } from './database.ts';

const folder = path.join(import.meta.dirname, 'migrations');

/** Brings the schema up to date, in one transaction under the write lock, so that starting twice at once is safe. */
export function migrate(database: SqliteDatabase): void {
  const migrations = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const upgrade = database.transaction(() => {
    const version = Number(database.pragma('user_version', { simple: true }));
    if (version > migrations.length) {
      throw new SetupError(
        `the database ${database.name} is newer than this program (schema ${version}, known up to ` +
          `${migrations.length}): run the newer program, or restore a backup`,
      );
    }
    if (version === migrations.length) return;
    for (const name of migrations.slice(version))
      database.exec(readFileSync(path.join(folder, name), 'utf8'));
    database.pragma(`user_version = ${migrations.length}`);
  });
  upgrade.immediate();
}
