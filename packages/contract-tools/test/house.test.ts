import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/* The picture of the house in house.cjs, held against small houses in which something is imported that may not be. */

const root = path.resolve(__dirname, '../../..');
const depcruise = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const workspaces = {
  contract: 'packages/contract',
  'contract-tools': 'packages/contract-tools',
  'local-stack': 'packages/local-stack',
  client: 'packages/client',
  mcp: 'packages/mcp',
  server: 'apps/server',
};

/** What each file imports, and the rule that forbids it; '' where it is allowed. */
const IMPORTS = {
  'apps/server/src/cli/down.ts': [`import '../orders/handlers.ts'`, ''],
  'apps/server/src/http/up.ts': [`import '../keys/key.ts'`, 'http/ imports only from below'],
  'apps/server/src/limits/type.ts': [
    `import type { Key } from '../keys/key.ts'`,
    'limits/ imports only from below',
  ],
  'apps/server/src/limits/eager.ts': [
    `import './redis-client.ts'`,
    'what most starts do without is imported when it is needed',
  ],
  'apps/server/src/limits/of-type.ts': [`import type { Client } from './redis-client.ts'`, ''],
  'apps/server/src/pets/beside.ts': [`import '../orders/handlers.ts'`, 'pets/ imports only from below'],
  'apps/server/src/handlers.ts': [`import './lounge/sofa.ts'`, 'every room of the server has a floor'],
  'apps/server/src/keys/circle.ts': [`import './closed.ts'`, 'no circles'],
  'apps/server/src/app.ts': [
    `import type { Contract } from '@petstore/contract-tools/contract'`,
    'apps/server imports only packages/contract',
  ],
  'packages/client/src/unbuilt.ts': [
    `import '@petstore/server'`,
    'packages/client imports only packages/contract',
  ],
  'apps/server/src/service.ts': [
    `import '../../../packages/contract/src/index.ts'`,
    'a package is entered through its name',
  ],
  'scripts/unlisted.ts': [`import 'pino'`, 'who imports a package lists it'],
  'apps/server/src/http/for-tests.ts': [
    `import 'axe-core'`,
    'what runs does not need what only tests and builds have',
  ],
  'apps/server/test/for-tests.ts': [`import 'axe-core'`, ''],
  'packages/contract/src/up.ts': [
    `import '@petstore/contract-tools/contract'`,
    'packages/contract imports only itself',
  ],
  'packages/contract-tools/src/lint/beside.ts': [
    `import '../release/main.ts'`,
    'lint/ imports only from below',
  ],
} as const;

/** What is imported above. */
const OTHERS = {
  'apps/server/src/orders/handlers.ts': '',
  'apps/server/src/keys/key.ts': 'export type Key = string;',
  'apps/server/src/keys/closed.ts': `import './circle.ts'`,
  'apps/server/src/limits/redis-client.ts': 'export type Client = string;',
  'apps/server/src/lounge/sofa.ts': '',
  'packages/contract/src/index.ts': '',
  'packages/contract-tools/src/contract.ts': 'export type Contract = string;',
  'packages/contract-tools/src/release/main.ts': '',
};

let house: string;

beforeAll(() => {
  house = mkdtempSync(path.join(tmpdir(), 'petstore-house-'));
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(house, file)), { recursive: true });
    writeFileSync(path.join(house, file), `${text}\n`);
  };
  for (const [file, [text]] of Object.entries(IMPORTS)) write(file, text);
  for (const [file, text] of Object.entries(OTHERS)) write(file, text);
  mkdirSync(path.join(house, 'node_modules/@petstore'), { recursive: true });
  for (const name of ['axe-core', 'pino'])
    symlinkSync(path.join(root, 'node_modules', name), path.join(house, 'node_modules', name));
  for (const [name, folder] of Object.entries(workspaces)) {
    cpSync(path.join(root, folder, 'package.json'), path.join(house, folder, 'package.json'));
    symlinkSync(path.join(house, folder), path.join(house, 'node_modules/@petstore', name));
  }
  for (const file of ['house.cjs', 'package.json', 'tsconfig.json', 'tsconfig.base.json'])
    cpSync(path.join(root, file), path.join(house, file));
});

test('each import that the house does not allow is an error, under the name of its rule', () => {
  const args = [depcruise, '--config', 'house.cjs', 'apps', 'packages', 'scripts'];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: house, encoding: 'utf8' });
  const said = [...stdout.matchAll(/^ *error (.+): (\S+) →/gm)].map(([, rule, file]) => `${file}: ${rule}`);
  const expected = Object.entries(IMPORTS).filter(([, [, rule]]) => rule !== '');
  expect(said.sort()).toEqual(expected.map(([file, [, rule]]) => `${file}: ${rule}`).sort());
  expect(status).not.toBe(0);
});
