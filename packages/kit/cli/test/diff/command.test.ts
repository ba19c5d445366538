import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../../src/diff/main.ts';
import { changed, contract } from '../support/contract.ts';
import { cut } from '../support/edit.ts';

/** The command in a new folder for each test. */
let root = '';
let printed = '';

beforeEach(() => {
  // In a git hook, these variables would name the repository of the hook.
  for (const key of Object.keys(process.env)) if (key.startsWith('GIT_')) delete process.env[key];
  root = mkdtempSync(path.join(tmpdir(), 'kit-gate-'));
  printed = '';
});

function git(...args: string[]): void {
  const settings = ['user.name=Test', 'user.email=test@library.example', 'commit.gpgsign=false'];
  const identity = settings.flatMap((setting) => ['-c', setting]);
  execFileSync('git', [...identity, ...args], { cwd: root, stdio: 'ignore' });
}

function write(text: string): void {
  writeFileSync(path.join(root, 'openapi.yaml'), text);
}

function commit(text: string): void {
  write(text);
  git('init');
  git('add', '.');
  git('commit', '--allow-empty', '--message', 'A change');
}

function release(text: string): void {
  writeFileSync(path.join(root, 'openapi.released.yaml'), text);
}

function contractDiff(...args: string[]): Promise<number> {
  const print = (text: string) => void (printed += `${text}\n`);
  return run({ args, root, today: '2026-12-01', out: print, err: print });
}

test('without a released contract there is nothing to compare', async () => {
  write(contract);
  expect(await contractDiff()).toBe(0);
  expect(printed).toMatch(/^Nothing is released yet/);
});

test('a contract is compared with the released one', async () => {
  release(contract);
  write(contract);
  expect(await contractDiff()).toBe(0);
  expect(printed).toBe(
    'openapi.yaml 1.2.3, compared with openapi.released.yaml (1.2.3)\n\nNothing has changed.\n',
  );
});

test('a change without the required version fails, and names that version', async () => {
  release(contract);
  write(changed(['perMinute: 60', 'perMinute: 59'], ['summary: Get a book', 'summary: One book']));
  expect(await contractDiff()).toBe(1);
  expect(printed).toBe(`openapi.yaml 1.2.3, compared with openapi.released.yaml (1.2.3)

Major: breaks clients that work today
  plan free: requests per minute fall from 60 to 59  [openapi.yaml:16:34]

Patch: nothing for clients to do
  GET /books/{bookId}: summary changes from "Get a book" to "One book"  [openapi.yaml:63:16]

These changes need version 2.0.0 or higher.
FAILED: info.version stays 1.2.3, but a major change of the contract needs 2.0.0  [openapi.yaml:5:12]
`);
});

test('a major version that keeps the path segment, or drops an operation before its sunset, fails', async () => {
  release(contract);
  write(cut(changed(['version: 1.2.3', 'version: 2.0.0']), '  /books/{bookId}:', 'components:'));
  expect(await contractDiff()).toBe(1);
  expect(printed.split('\n').filter((line) => line.startsWith('FAILED'))).toEqual([
    'FAILED: version 2.0.0 needs a new path segment, such as /v2: https://api.library.example/v1 keeps /v1  [openapi.yaml:9:12]',
    'FAILED: version 2.0.0 needs a new path segment, such as /v2: http://localhost:3000/v1 keeps /v1  [openapi.yaml:10:10]',
    'FAILED: GET /books/{bookId} disappears before its sunset date, 2027-06-30  [openapi.released.yaml:58:5]',
  ]);
});

test('an argument selects a commit, tag or file to compare with', async () => {
  commit(contract);
  git('tag', 'v1.2.3');
  commit(changed(['perMinute: 60', 'perMinute: 61']));
  expect(await contractDiff('HEAD')).toBe(0);
  expect(await contractDiff('HEAD~1')).toBe(1);
  printed = '';
  expect(await contractDiff('v1.2.3')).toBe(1);
  expect(printed).toMatch('compared with v1.2.3:openapi.yaml (1.2.3)');
  writeFileSync(path.join(root, 'old.yaml'), contract);
  expect(await contractDiff('old.yaml')).toBe(1);
});

test('reports a missing file, tag or contract in one line', async () => {
  commit(contract);
  git('rm', 'openapi.yaml');
  git('commit', '--message', 'Nothing left');
  write(contract);
  for (const base of ['v9.9.9', '']) expect(await contractDiff(base)).toBe(1);
  const none = (base: string) => `there is no file, git tag, branch or commit ${base} here\n`;
  expect(printed).toBe(none('v9.9.9') + none("''"));
  printed = '';
  expect(await contractDiff('HEAD')).toBe(1);
  expect(printed).toBe('HEAD has no openapi.yaml\n');
});

test('a contract that no longer requires a key raises an alarm', async () => {
  release(contract);
  write(changed(['security:\n  - apiKey: []\n', '']));
  expect(await contractDiff()).toBe(1);
  expect(printed).toContain('\nATTENTION: GET /loans: needs no API key, and needed apiKey before!\n');
});

test('rejects an invalid contract with the place, also the released one', async () => {
  const address = changed(['http://localhost:3000/v1', 'http://local host/v1']);
  release(contract);
  write(address);
  expect(await contractDiff()).toBe(1);
  expect(printed).toMatch(/^openapi.yaml:10:10: .*\n$/);
  release(address);
  write(contract);
  printed = '';
  expect(await contractDiff()).toBe(1);
  expect(printed).toMatch(/^openapi.released.yaml:10:10: .*\n$/);
});

test('wrong usage exits with 2 and prints the usage; --help prints it with 0', async () => {
  expect(await contractDiff('--base', 'HEAD')).toBe(2);
  expect(await contractDiff('--all')).toBe(2);
  expect(await contractDiff('HEAD', 'HEAD')).toBe(2);
  expect(await contractDiff('--help')).toBe(0);
  expect(printed.match(/Usage: contract-kit diff/g)).toHaveLength(4);
});
