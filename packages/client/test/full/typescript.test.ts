import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { installPacked, type Installed } from '@contract-kit/test-support';

/* `npm run test:full`: the oldest and the newest TypeScript, from the registry. */

const user = readFileSync(path.join(__dirname, '../types.test-d.ts'), 'utf8');
const userOfFetch = readFileSync(path.join(__dirname, '../user-of-fetch.ts'), 'utf8');

let installed: Installed;
beforeAll(() => {
  installed = installPacked('packages/client');
});
afterAll(() => installed.remove());

test.each(['5.0', 'latest'])('a program compiles with TypeScript %s', (version) => {
  const folder = path.join(installed.folder, version);
  mkdirSync(folder);
  installed.run('npm', 'install', '--prefix', folder, '--no-audit', '--silent', `typescript@${version}`);
  const compiler = path.join(folder, 'node_modules/typescript/bin/tsc');
  installed.compile({ 'user.mts': user, 'user.cts': user }, { module: 'nodenext' }, compiler);
  if (version === 'latest')
    installed.compile(
      { 'fetch.mts': userOfFetch, 'fetch.cts': userOfFetch },
      { module: 'nodenext' },
      compiler,
    );
});
