// Tells whether the built program is that of the sources as they are now.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');
const SOURCES = ['openapi.yaml', 'packages/contract/src', 'apps/server/src', 'apps/server/scripts'];
const stamp = path.join(root, 'apps/server/dist/sources.sha256');

export function markBuilt() {
  writeFileSync(stamp, digestOf(entries()));
}

export function isBuilt() {
  if (!existsSync(stamp)) return false;
  const found = entries();
  const { mtimeMs } = statSync(stamp);
  if (found.every(({ stats }) => stats.ctimeMs < mtimeMs)) return true;
  // Newer files may have the same content, after a branch switch for example.
  return readFileSync(stamp, 'utf8') === digestOf(found);
}

/** The files that the program is built from, and their folders, which change when a file is deleted. */
function entries() {
  const below = (name) => {
    const stats = statSync(path.join(root, name));
    const names = stats.isDirectory() ? readdirSync(path.join(root, name)).sort() : [];
    return [{ name, stats }, ...names.flatMap((each) => below(`${name}/${each}`))];
  };
  return SOURCES.flatMap(below);
}

function digestOf(found) {
  const hash = createHash('sha256');
  for (const { name, stats } of found)
    hash.update(`${name}\n`).update(stats.isFile() ? readFileSync(path.join(root, name)) : '');
  return hash.digest('hex');
}
