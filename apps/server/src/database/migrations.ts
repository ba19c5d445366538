import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { SetupError } from '../setup-error.ts';

/** The SQL files that bring schema `version` up to date, in order. Throws a SetupError if it is a newer one. */
export function migrationsFrom(version: number, folder: string, what: string): string[] {
  const migrations = path.join(folder, 'migrations');
  const names = readdirSync(migrations).filter((name) => name.endsWith('.sql'));
  if (version > names.length)
    throw new SetupError(
      `${what} is newer than this program (schema ${version}, known up to ${names.length}): ` +
        'run the newer program, or roll back to an older backup, as docs/operating.md says',
    );
  const missing = names.sort().slice(version);
  return missing.map((name) => readFileSync(path.join(migrations, name), 'utf8'));
}
