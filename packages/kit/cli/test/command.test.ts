import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '@contract-kit/test-support/testing';

/* The command as it is installed: built, and run by Node.js alone. */

const bin = path.join(__dirname, '../bin/contract-kit.js');

const contractKit = (...args: string[]) => contractKitIn(newFolder(), ...args);

function contractKitIn(cwd: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { cwd, encoding: 'utf8' });
  return { status, stdout, stderr };
}

function notesContract(): string {
  const file = path.join(newFolder(), 'notes.yaml');
  writeFileSync(
    file,
    `openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      operationId: listNotes
      responses:
        '200':
          description: All.
          content: { application/json: { schema: { type: array, items: { type: string } } } }
`,
  );
  return file;
}

test('without a command, or with an unknown one, it prints the usage and exits with 2', () => {
  expect(contractKit()).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringMatching(/^Usage: /) as string,
  });
  const { status, stderr } = contractKit('serve');
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^Unknown command 'serve'\n\nUsage: /)]);
  expect(contractKit('--help')).toMatchObject({ status: 0, stderr: '' });
});

test('check serves a contract, and calls its operations through the generated client', () => {
  const root = path.join(__dirname, '../../../..');
  const { status, stdout, stderr } = contractKitIn(root, 'check', notesContract());
  // On a busy machine it takes so long that it tells what it does.
  const told = stderr.replaceAll(/^.* …\n/gm, '');
  expect([status, stdout, told]).toEqual([0, expect.stringContaining('notes.yaml: works'), '']);
});

test('create writes nothing if it fails, not even a folder above', () => {
  const cwd = newFolder();
  mkdirSync(path.join(cwd, 'mine'));
  const created = (folder: string) =>
    contractKitIn(cwd, 'create', folder, '--contract', notesContract(), '--packages', cwd);
  for (const folder of ['shop', 'work/on/shop', 'mine/shop'])
    expect(created(folder)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('has no packed @contract-kit/core.') as string,
    });
  expect(readdirSync(cwd, { recursive: true })).toEqual(['mine']);
});
