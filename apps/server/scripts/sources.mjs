// Tells whether the built program is that of the sources as they are now.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');
const FOLDERS = ['packages/contract/src', 'apps/server/src', 'apps/server/scripts'];
const stamp = path.join(root, 'apps/server/dist/sources.sha256');

export const isBuilt = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === digest();

export const markBuilt = () => writeFileSync(stamp, digest());

function digest() {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort(),
  );
  const hash = createHash('sha256');
  for (const file of [path.join(root, 'openapi.yaml'), ...files])
    hash.update(`${path.relative(root, file)}\n`).update(readFileSync(file));
  return hash.digest('hex');
}
