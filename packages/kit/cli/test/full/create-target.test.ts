import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { commandsOf, newFolder } from '@contract-kit/test-support/testing';
import { root } from '../../src/workspace.ts';

/* Where \`create\` and \`generate\` may write, and what they say if they may not. */

const command = commandsOf('contract-kit', [path.join(root, 'packages/kit/cli/bin/contract-kit.js')]);

/** A folder that everyone may read, in which everyone may write if `isWritable`. */
function folderFor(isWritable: boolean): string {
  const folder = newFolder();
  chmodSync(folder, isWritable ? 0o777 : 0o755);
  return folder;
}

const contract = path.join(folderFor(false), 'notes.yaml');
writeFileSync(
  contract,
  `openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths: { /notes: { get: { operationId: getNotes, responses: { '204': { description: None. } } } } }
`,
);

const options = { dataDir: newFolder(), isUnprivileged: true };
async function create(folder: string, env: Record<string, string> = {}) {
  const args = ['create', folder, '--contract', contract, '--name', 'notes', '--no-install'];
  const { code, stderr } = await command.run(args, { ...options, env });
  return [code, stderr];
}
const resultOfRejection = (folder: string) =>
  `${folder}: this user may not read or write there. Name another folder.\n`;

test('names a folder that is not writable, before it checks the contract', async () => {
  const folder = folderFor(true);
  chmodSync(folder, 0o555);
  for (const target of [folder, path.join(folder, 'notes'), path.join(folder, 'a/b/notes')])
    expect(await create(target)).toEqual([1, resultOfRejection(folder)]);
  expect(await create(path.join(contract, 'notes'))).toEqual([1, `${contract} is a file, not a folder.\n`]);
  expect(readdirSync(folder)).toEqual([]);
});

test('writes into an empty folder whose parent is not writable', async () => {
  const folder = path.join(folderFor(true), 'notes');
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  chmodSync(path.dirname(folder), 0o555);
  expect(await create(folder)).toEqual([0, '']);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['.git', '.npmrc', 'package.json']));
});

test('makes a git repository, but not inside of another one', async () => {
  const outer = path.join(folderFor(true), 'outer');
  const inner = path.join(outer, 'services/inner');
  for (const folder of [outer, inner]) expect(await create(folder)).toEqual([0, '']);
  expect(existsSync(path.join(outer, '.git'))).toBe(true);
  expect(readdirSync(inner)).toContain('package.json');
  expect(readdirSync(inner)).not.toContain('.git');
});

test('needs no git', async () => {
  const folder = path.join(folderFor(true), 'notes');
  expect(await create(folder, { PATH: folderFor(false) })).toEqual([0, '']);
  expect(readdirSync(folder)).toContain('package.json');
  expect(readdirSync(folder)).not.toContain('.git');
});

test('`generate` names the file that it may not write', async () => {
  const folder = path.join(folderFor(true), 'notes');
  expect(await create(folder)).toEqual([0, '']);
  appendFileSync(path.join(folder, 'openapi.yaml'), 'tags: [{ name: notes, description: Notes. }]\n');
  const generated = path.join(folder, 'packages/contract/src/generated');
  for (const name of readdirSync(generated)) chmodSync(path.join(generated, name), 0o444);
  const { code, stdout, stderr } = await command.run(['generate'], { ...options, cwd: folder });
  expect([code, stdout, stderr]).toEqual([
    1,
    '',
    expect.stringMatching(`^${generated}/\\w+\\.ts: this user may not read or write there\n$`),
  ]);
});
