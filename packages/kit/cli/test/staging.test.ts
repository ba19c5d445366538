import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stage, swapIn } from '../src/adopt/staging.ts';

/* How adopt changes a workspace: all of it or nothing. */

const root = mkdtempSync(path.join(tmpdir(), 'staging-'));
const file = (name: string) => path.join(root, name);
const write = (name: string, text: string, folder = root) => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
};

beforeEach(() => {
  write('kept.txt', 'kept');
  write('changed.txt', 'before');
  write('folder/gone.txt', 'gone');
  write('node_modules/package/index.js', 'installed');
});
afterAll(() => rmSync(root, { recursive: true }));

/** A staged copy with a new, a changed and a deleted file. */
async function changedCopy() {
  const staging = await stage(root);
  write('new/file.txt', 'new', staging.folder);
  write('changed.txt', 'after', staging.folder);
  rmSync(path.join(staging.folder, 'folder/gone.txt'));
  return staging;
}

test('replaces the old files, and keeps the installed packages', async () => {
  const { folder, remove } = await changedCopy();
  await swapIn(folder, root);
  await remove();
  const names = ['kept.txt', 'changed.txt', 'new/file.txt', 'node_modules/package/index.js'];
  expect(names.map((name) => readFileSync(file(name), 'utf8'))).toEqual([
    'kept',
    'after',
    'new',
    'installed',
  ]);
  expect(existsSync(file('folder'))).toBe(false);
  rmSync(file('new'), { recursive: true });
});

test('a failure half-way restores everything', async () => {
  const { folder, remove } = await changedCopy();
  // A file cannot replace a folder that is not empty.
  write('zzz', 'a file', folder);
  write('zzz/node_modules/package/index.js', 'installed');
  await expect(swapIn(folder, root)).rejects.toThrow();
  await remove();
  const names = ['kept.txt', 'changed.txt', 'folder/gone.txt'];
  expect(names.map((name) => readFileSync(file(name), 'utf8'))).toEqual(['kept', 'before', 'gone']);
  expect(existsSync(file('new/file.txt'))).toBe(false);
});
