import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { SetupError } from '../setup-error.ts';

/** The numbered SQL files in `folder`/migrations, in order. */
export function readMigrations(folder: string): string[] {
  const migrations = path.join(folder, 'migrations');
  return readdirSync(migrations)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => readFileSync(path.join(migrations, name), 'utf8'));
}

/** Throws a SetupError where `what`, of this schema version, is of a program that knows more migrations than this one. */
export function refuseNewer(what: string, version: number, migrations: readonly string[]): void {
  if (version <= migrations.length) return;
  throw new SetupError(
    `${what} is newer than this program (schema ${version}, known up to ${migrations.length}): ` +
      'run the newer program, or roll back to an older backup, as docs/operating.md says',
  );
}
