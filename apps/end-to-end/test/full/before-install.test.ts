import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { installNode } from '@contract-kit/test-support';
import { newFolder } from '@contract-kit/test-support/testing';
import { root } from '@petstore/server/testing';
import { create, environment, output } from '../support/repository.ts';

/* What a checkout of this repository, and a created one, say before `npm ci`, and with a Node.js that is too old. */

/** This repository, as far as the first lines of its scripts need it. */
const checkout = newFolder();
const created = path.join(newFolder(), 'my-notes');
/** The npm of Node.js 18. */
const npm = newFolder();
let node = '';

beforeAll(async () => {
  const files = ['package.json', 'package-lock.json', '.npmrc', 'scripts/installed.mjs', 'apps/server/bin'];
  for (const file of files) cpSync(path.join(root, file), path.join(checkout, file), { recursive: true });
  mkdirSync(path.join(checkout, 'apps/server/src'));
  const contract = path.join(import.meta.dirname, '../created/notes.yaml');
  await create(created, '--contract', contract, '--no-install');
  await output(created, 'npm', 'install', '--package-lock-only', '--no-audit', '--no-fund');
  node = installNode(newFolder(), '18');
  await output(npm, 'npm', 'install', '--no-audit', '--no-fund', '--no-save', 'npm@10.8.2');
});

const scriptsOf = (folder: string) =>
  (JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { scripts: Record<string, string> })
    .scripts;
const named = ['start', 'dev', 'create', 'generate', 'typecheck', 'test', 'test:full', 'check', 'todo'];

test.each(named)('`npm run %s` says in one line that the packages are not installed', (script) => {
  const options = { cwd: checkout, encoding: 'utf8', env: environment } as const;
  const { status, stderr } = spawnSync('npm', ['run', '--silent', script], options);
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^(service: )?The packages are not installed\. Run `npm ci`\.\n$/),
  ]);
});

describe('with Node.js 18', () => {
  function run(cwd: string, ...command: [string, ...string[]]) {
    const PATH = [path.dirname(node), process.env['PATH']].join(path.delimiter);
    return spawnSync(command[0], command.slice(1), { cwd, encoding: 'utf8', env: { ...environment, PATH } });
  }
  const tooOld = expect.stringMatching(
    /^([\w-]+: )?Node\.js 18\.\S+ is too old\. Install Node\.js 20\.19 or newer\.\n$/,
  ) as string;

  test('each script says which one is needed', () => {
    const scripts = Object.entries(scriptsOf(created));
    expect(scripts.map(([name]) => name)).toEqual(expect.arrayContaining(['start', 'generate', 'test']));
    const all = [...scripts, ...named.map((name) => [name, scriptsOf(checkout)[name] ?? ''] as const)];
    for (const [index, [name, script]] of all.entries()) {
      // `check` runs another script with npm.
      if (script.startsWith('npm run')) continue;
      const { status, stderr } = run(index < scripts.length ? created : checkout, 'sh', '-c', script);
      expect([name, status, stderr]).toEqual([name, 1, tooOld]);
    }
  });

  test('the command of the kit says which one is needed', () => {
    const { status, stderr } = run(created, 'node', path.join(root, 'packages/kit/cli/bin/contract-kit.js'));
    expect([status, stderr]).toEqual([1, tooOld]);
  });

  test.each([
    ['this repository', checkout],
    ['a created one', created],
  ])('`npm ci` of %s says which one is needed', (_what, folder) => {
    const program = path.join(npm, 'node_modules/npm/bin/npm-cli.js');
    const { status, stderr } = run(folder, 'node', program, 'ci');
    expect([status, stderr]).toEqual([1, expect.stringContaining('Required: {"node":">=20.19"}')]);
  });
});
