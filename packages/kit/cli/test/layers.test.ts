import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/* The rules of .dependency-cruiser.cjs, on a small workspace with imports that break them. */

const root = path.resolve(__dirname, '../../../..');
const depcruise = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const config = '.dependency-cruiser.cjs';
const { forbidden } = jest.requireActual<{ forbidden: { name: string }[] }>(path.join(root, config));
const rules = forbidden.map(({ name }) => name);
const packages = [
  ...['core', 'client', 'cli', 'server', 'testing', 'mcp'].map((name) => `packages/kit/${name}`),
  ...['packages/test-support', 'packages/contract', 'packages/client', 'packages/mcp', 'apps/server'],
];
const nameOf = (folder: string) =>
  (JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as { name: string }).name;

const server = 'packages/kit/server/src';
const tools = 'packages/kit/cli/src';
const contract = 'packages/kit/core/src';
const lazy = 'what most starts do without is imported when it is needed';
const features = 'a feature imports only types of another: shared code is in apps/server/src/shared';
const layersOf = (name: string) => `${name} imports only from the layers below`;
const packageRule = (folder: string) =>
  rules.find((rule) => rule.startsWith(`${folder} imports only `)) ?? '';

/** Files, their imports, and the rule that forbids each; '' if it is allowed. */
const imports: readonly (readonly [file: string, text: string, rule: string])[] = [
  [`${server}/command/down.ts`, `import '../pipeline/respond.ts'`, ''],
  [`${server}/http/up.ts`, `import '../keys/key.ts'`, layersOf('http/')],
  [`${server}/limits/type.ts`, `import type { Key } from '../keys/key.ts'`, layersOf('limits/')],
  [`${server}/feature.ts`, `import './store/open.ts'`, layersOf('feature.ts')],
  [`${server}/limits/eager.ts`, `import './redis-client.ts'`, lazy],
  [`${server}/limits/of-type.ts`, `import type { Client } from './redis-client.ts'`, ''],
  [`${server}/app.ts`, `import './lounge/sofa.ts'`, 'every file of packages/kit/server has a layer'],
  [`${server}/keys/closed.ts`, `import './cycle.ts'`, 'no cycles'],
  [
    `${server}/start.ts`,
    `import '../../core/src/contract/index.ts'`,
    'a package is entered through its name',
  ],
  [`${tools}/todo/beside.ts`, `import '../fill/main.ts'`, layersOf('todo/')],
  [`${tools}/check/other.ts`, `import '../sofa.ts'`, 'every file of packages/kit/cli has a layer'],
  [`${contract}/model/up.ts`, `import '../errors/index.ts'`, layersOf('model/')],
  [
    `${contract}/openapi/deep.ts`,
    `import '../errors/sofa.ts'`,
    'a room of core is entered through its index',
  ],
  [`${contract}/model/other.ts`, `import '../sofa.ts'`, 'every file of packages/kit/core has a layer'],
  ['apps/server/src/lions/down.ts', `import '@contract-kit/server'`, ''],
  ['apps/server/src/lions/beside.ts', `import '../tigers/a.ts'`, features],
  // Allowed: helpers of several features, in folders, and the row of another feature.
  ['apps/server/src/lions/shares.ts', `import '../shared/time/days.ts'`, ''],
  ['apps/server/src/lions/row.ts', `import type { Row } from '../tigers/row.ts'`, ''],
  ['apps/server/src/shared/money/up.ts', `import '../../tigers/a.ts'`, 'shared code imports no feature'],
  ['apps/server/src/shared/money/beside.ts', `import '../time/days.ts'`, ''],
  ['apps/server/src/a.ts', `import 'yaml'`, 'what runs does not need what only tests and builds have'],
  ['apps/server/test/a.ts', `import 'yaml'`, ''],
  [
    'scripts/deep.ts',
    `import '../packages/kit/server/src/pipeline/respond.ts'`,
    'a package is entered through its name',
  ],
  [
    'scripts/deep.ts',
    `import '../packages/kit/server/src/pipeline/respond.ts'`,
    'the kit is entered as its users enter it',
  ],
  ['packages/client/src/unbuilt.ts', `import '${nameOf('apps/server')}'`, packageRule('packages/client')],
  ['packages/client/src/unbuilt.ts', `import '${nameOf('apps/server')}'`, 'who imports a package lists it'],
  ['scripts/unlisted.ts', `import 'pino'`, 'who imports a package lists it'],
  ...packages.map((folder) => {
    const others: Record<string, string> = {
      'packages/kit/cli': '@contract-kit/test-support',
    };
    const other = others[folder] ?? '@contract-kit/cli/bin';
    return [`${folder}/src/outside.ts`, `import '${other}'`, packageRule(folder)] as const;
  }),
];

/** The imported files. */
const others = [
  ...['cli/bin/contract-kit', 'core/dist/contract/index', 'mcp/dist/index', 'server/dist/index'].map(
    (name) => [`packages/kit/${name}.js`, ''],
  ),
  ['packages/test-support/src/index.ts', ''],
  ['packages/kit/core/src/contract/index.ts', ''],
  ...['pipeline/respond', 'store/open', 'lounge/sofa'].map((name) => [`${server}/${name}.ts`, '']),
  ...['errors/index', 'errors/sofa', 'sofa'].map((name) => [`${contract}/${name}.ts`, '']),
  ...['command', 'fill/main', 'sofa'].map((name) => [`${tools}/${name}.ts`, '']),
  [`${server}/keys/key.ts`, 'export type Key = string;'],
  [`${server}/keys/cycle.ts`, `import './closed.ts'`],
  [`${server}/limits/redis-client.ts`, 'export type Client = string;'],
  ['apps/server/src/tigers/a.ts', ''],
  ['apps/server/src/tigers/row.ts', 'export type Row = string;'],
  ['apps/server/src/shared/time/days.ts', ''],
] as [string, string][];

test('each forbidden import is an error with the name of its rule, and shared code is allowed', () => {
  const workspace = mkdtempSync(path.join(tmpdir(), 'layers-'));
  const placeFor = (file: string) => {
    mkdirSync(path.dirname(path.join(workspace, file)), { recursive: true });
    return path.join(workspace, file);
  };
  for (const [file, text] of [...imports, ...others]) writeFileSync(placeFor(file), `${text}\n`);
  for (const name of ['node_modules/yaml', 'node_modules/pino'])
    symlinkSync(path.join(root, name), placeFor(name));
  for (const folder of packages)
    symlinkSync(path.join(workspace, folder), placeFor(`node_modules/${nameOf(folder)}`));
  const manifests = packages.map((folder) => `${folder}/package.json`);
  for (const file of [config, 'package.json', 'service.json', 'tsconfig.json', ...manifests])
    cpSync(path.join(root, file), path.join(workspace, file));

  const args = [depcruise, 'apps', 'packages', 'scripts'];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: workspace, encoding: 'utf8' });
  const violations = [...stdout.matchAll(/^ *error (.+): (\S+) →/gm)].map(
    ([, rule, file]) => `${file}: ${rule}`,
  );
  const expected = imports.filter(([, , rule]) => rule !== '').map(([file, , rule]) => `${file}: ${rule}`);
  expect(violations.sort()).toEqual(expected.sort());
  expect(status).not.toBe(0);
});

test('every rule has an import that breaks it, except for single layers', () => {
  const broken = imports.map(([, , rule]) => rule);
  expect(rules.filter((rule) => !rule.endsWith('the layers below') && !broken.includes(rule))).toEqual([]);
});
