import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { installNode, NODE_VERSIONS } from '@contract-kit/test-support';
import { newFolder } from '@contract-kit/test-support/testing';
import { root } from '../support/workspace.ts';

/* The packaged service, as it is deployed, on every Node.js. */

const TIMES = 5;
const program = path.join(newFolder(), 'program');
const programs = new Map<string, string>();

beforeAll(() => {
  execFileSync('npm', ['run', 'package', '--', program], { cwd: root, stdio: 'ignore' });
  for (const version of NODE_VERSIONS) programs.set(version, installNode(newFolder(), version));
});

function run(node: string, args: string, dataDir: string, input = '') {
  return spawnSync(node, [path.join(program, 'bin/petstore.js'), ...args.split(' ')], {
    env: { DATA_DIR: dataDir, PATH: process.env['PATH'] },
    encoding: 'utf8',
    input,
  });
}

test.each(NODE_VERSIONS)(
  'each command ends with its exit code, and prints no warning, on Node.js %s',
  (version) => {
    const node = programs.get(version) ?? '';
    for (let times = 0; times < (Number(version) >= 24 ? TIMES : 1); times += 1) {
      const dataDir = newFolder();
      const backup = path.join(newFolder(), 'backup.db');
      for (const [args, code, input] of [
        ['--version', 0],
        ['orders import -', 0, '{"id":1}\n{"id":2}'],
        ['orders import -', 1, '{"id":1}'],
        ['orders list', 0],
        ['orders ship 1', 0],
        ['orders ship 9', 1],
        ['pets import -', 0, '{"id":1,"name":"Rex"}'],
        ['keys create --plan free --name Ada', 0],
        ['keys list', 0],
        ['keys revoke --yes key_unknown', 1],
        [`backup ${backup}`, 0],
        [`restore --yes ${backup}`, 0],
        ['serve --nonsense', 2],
      ] as const) {
        const { status, signal, stderr } = run(node, args, dataDir, input);
        expect({ args, status, signal }).toEqual({ args, status: code, signal: null });
        if (code === 0) expect(stderr).not.toMatch(/warn/i);
      }
    }
  },
);

test('SQLite that does not load is one line that says what to do', () => {
  const prebuilds = path.join(program, 'node_modules/@photostructure/sqlite/prebuilds');
  const binaries = readdirSync(prebuilds, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.node'))
    .map((name) => path.join(prebuilds, name));
  expect(binaries.length).toBeGreaterThan(0);
  for (const binary of binaries) writeFileSync(binary, 'for another Node.js');
  for (const args of ['serve', 'keys create --plan free --name Ada']) {
    const { status, stderr } = run(programs.get('20.19') ?? '', args, newFolder());
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^petstore: cannot load SQLite: .* Install .*\n$/),
    ]);
  }
  // Others do not need it.
  expect(run(programs.get('24') ?? '', 'keys create --plan free --name Ada', newFolder()).status).toBe(0);
});

test('a Node.js that is too old is one line that says what to do', () => {
  const node = installNode(newFolder(), '18');
  const dataDir = path.join(newFolder(), 'data');
  const { status, stderr } = run(node, 'serve', dataDir);
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^petstore: Node\.js 18\.\S+ is too old\. Install Node\.js 20\.19 or newer\.\n$/),
  ]);
  expect(existsSync(dataDir)).toBe(false);
});
