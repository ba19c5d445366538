import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '@contract-kit/local-stack/testing';

/* The command as it is installed: built, and run by Node.js alone. */

const bin = path.join(__dirname, '../bin/contract-kit.js');

function contractKit(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd: newFolder(),
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
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
  const root = path.join(__dirname, '../../../..');
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'check', file], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([status, stdout, stderr]).toEqual([0, expect.stringContaining('notes.yaml: works'), '']);
});
