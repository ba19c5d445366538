import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { copyWorkspace } from '../support/workspace.ts';

/* `npm run release`, on a copy of the workspace in a new git repository. */

const { folder, edit, file } = copyWorkspace();
const textOf = (name: string) => readFileSync(file(name), 'utf8');
const versionOf = (name: string) => (JSON.parse(textOf(name)) as { version: string }).version;

const released = versionOf('packages/client/package.json');
const [major, minor, patch] = released.split('.').map(Number) as [number, number, number];
const next = `${major}.${minor}.${patch + 1}`;

const person = { NAME: 'Ada', EMAIL: 'ada@petstore.example' };
const identity = Object.entries(person).flatMap(([name, value]) =>
  ['AUTHOR', 'COMMITTER'].map((role): [string, string] => [`GIT_${role}_${name}`, value]),
);
// In a git hook, these variables would name the repository of the hook.
const outside = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
const options = {
  cwd: folder,
  encoding: 'utf8',
  // npm asks the registry for published versions, and continues without a response.
  env: { ...Object.fromEntries<string | undefined>([...outside, ...identity]), npm_config_offline: 'true' },
} as const;
const git = (...args: string[]) => execFileSync('git', args, options).trim();

function runScript(...args: string[]): { status: number | null; printed: string } {
  const { status, stdout, stderr } = spawnSync('npm', ['run', ...args], options);
  return { status, printed: stdout + stderr };
}

function commit(message: string): void {
  git('add', '--all');
  git('commit', '--quiet', '--message', message);
}

beforeAll(() => {
  git('init', '--quiet');
  commit('All that is released');
});

const breakContract = () => edit('openapi.yaml', (text) => text.replace('perMinute: 60', 'perMinute: 59'));

test.each([
  ['a version that is released already', released, () => {}, 'does not follow'],
  ['a working tree with changes', next, breakContract, 'working tree has changes'],
  ['a version too low for the changes', next, () => (breakContract(), commit('Less')), 'do not allow'],
])('%s is refused, and changes nothing', (_, version, prepare, reason) => {
  const head = git('rev-parse', 'HEAD');
  prepare();
  const before = [git('rev-parse', 'HEAD'), git('status', '--porcelain'), textOf('openapi.yaml')];
  const { status, printed } = runScript('release', '--', version);
  expect(printed).toContain(reason);
  expect(status).not.toBe(0);
  expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), textOf('openapi.yaml')]).toEqual(before);
  git('reset', '--quiet', '--hard', head);
});

test('a version that YAML reads as a number gets quotes', () => {
  const head = git('rev-parse', 'HEAD');
  // Adopted repositories have no rule that versions have three numbers, and nothing that publishes.
  edit('service.json', (text) => text.replace('"servers", ', ''));
  rmSync(file('.github/workflows/release.yml'));
  commit('As in a new repository');
  const { status, printed } = runScript('release', '--', '2.0');
  const said =
    'v2.0 is committed and tagged. To share it: git push --follow-tags. To run it: npm run package';
  expect([status, printed]).toEqual([0, expect.stringContaining(said)]);
  for (const name of ['openapi.yaml', 'openapi.released.yaml'])
    expect(textOf(name)).toContain("version: '2.0'\n");
  expect(versionOf('packages/client/package.json')).toBe('2.0.0');
  expect(runScript('generate', '--', '--check').status).toBe(0);
  git('tag', '--delete', 'v2.0');
  git('reset', '--quiet', '--hard', head);
});

test('a release sets version, changelogs, contract, commit and tag, and the next change is compared with it', () => {
  edit('openapi.yaml', (text) => text.replace(`version: ${released}\n`, `version: "${released}"\n`));
  commit('Quotes, as in a contract in JSON');
  const { status, printed } = runScript('release', '--', next);
  expect(printed).toContain(`+ @petstore/client@${next}`);
  expect(printed).toContain(`+ @petstore/mcp@${next}`);
  expect(status).toBe(0);
  for (const name of ['packages/client', 'packages/mcp', 'apps/server']) {
    expect(versionOf(`${name}/package.json`)).toBe(next);
    expect(textOf(`${name}/CHANGELOG.md`)).toContain(`## ${next}\n`);
  }
  expect(textOf('openapi.released.yaml')).toContain(`version: "${next}"\n`);
  expect([git('describe', '--exact-match'), git('log', '-1', '--format=%s')]).toEqual([
    `v${next}`,
    `Release ${next}`,
  ]);
  expect(git('status', '--porcelain')).toBe('');
  expect(runScript('generate', '--', '--check').status).toBe(0);

  expect(runScript('contract:diff').status).toBe(0);
  breakContract();
  const judged = runScript('contract:diff');
  expect(judged.status).toBe(1);
  expect(judged.printed).toContain(`compared with openapi.released.yaml (${next})`);
});
