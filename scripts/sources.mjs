// Tells whether a built program is that of the sources as they are now. `node scripts/sources.mjs FOLDER` marks it as built.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const CONTRACT = ['openapi.yaml', 'service.json', 'packages/contract/src', 'packages/kit/contract/src'];
/** What the program of a folder is built from. */
const SOURCES = {
  'apps/server': [...CONTRACT, 'packages/kit/server/src', 'apps/server/src', 'apps/server/scripts'],
  'packages/mcp': [
    ...CONTRACT,
    'packages/client/src',
    'packages/kit/client/src',
    'packages/kit/mcp/src',
    'packages/mcp/src',
  ],
};
/** @typedef {keyof typeof SOURCES} Folder @typedef {{ name: string, stats: import('node:fs').Stats }} Entry */

/** @param {Folder} folder */
const stampOf = (folder) => path.join(root, folder, 'dist/sources.sha256');

/** @param {Folder} folder */
export function markBuilt(folder) {
  writeFileSync(stampOf(folder), digestOf(entries(folder)));
}

/** @param {Folder} folder */
export function isBuilt(folder) {
  const stamp = stampOf(folder);
  if (!existsSync(stamp)) return false;
  const found = entries(folder);
  const { mtimeMs } = statSync(stamp);
  if (found.every(({ stats }) => stats.ctimeMs < mtimeMs)) return true;
  // Newer files may have the same content, after a branch switch for example.
  return readFileSync(stamp, 'utf8') === digestOf(found);
}

/**
 * The files that the program is built from, and their folders, which change when a file is deleted.
 *
 * @param {Folder} folder
 */
function entries(folder) {
  /** @type {(name: string) => Entry[]} */
  const below = (name) => {
    const stats = statSync(path.join(root, name));
    const names = stats.isDirectory() ? readdirSync(path.join(root, name)).sort() : [];
    return [{ name, stats }, ...names.flatMap((each) => below(`${name}/${each}`))];
  };
  return SOURCES[folder].flatMap(below);
}

/** @param {Entry[]} found */
function digestOf(found) {
  const hash = createHash('sha256');
  for (const { name, stats } of found)
    hash.update(`${name}\n`).update(stats.isFile() ? readFileSync(path.join(root, name)) : '');
  return hash.digest('hex');
}

if (process.argv[1] === import.meta.filename) markBuilt(/** @type {Folder} */ (process.argv[2]));
