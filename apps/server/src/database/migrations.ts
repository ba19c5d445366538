import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** The numbered SQL files in `folder`/migrations, in order. */
export function readMigrations(folder: string): string[] {
  const migrations = path.join(folder, 'migrations');
  return readdirSync(migrations)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => readFileSync(path.join(migrations, name), 'utf8'));
}
