// Builds the package of the kit in the current folder: its sources with tsc, and copies of its other files.
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

// A file that was removed, such as a migration, would stay.
rmSync('dist', { recursive: true, force: true });
const tsc = path.join(import.meta.dirname, 'tsc.mjs');
const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

for (const entry of readdirSync('src', { recursive: true, withFileTypes: true })) {
  const file = path.join(entry.parentPath, entry.name);
  if (entry.isFile() && (!file.endsWith('.ts') || file.endsWith('.d.ts')))
    cpSync(file, path.join('dist', path.relative('src', file)));
}
