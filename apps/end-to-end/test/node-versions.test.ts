import { readFileSync } from 'node:fs';
import path from 'node:path';
import { NODE_VERSIONS } from '@contract-kit/test-support';

const root = path.resolve(import.meta.dirname, '../../..');
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');
const [OLDEST] = NODE_VERSIONS;

test('CI tests the versions of Node.js that the README names', () => {
  const [, tested = ''] = /^ +node: \[(.+)\]$/m.exec(textOf('.github/workflows/ci.yml')) ?? [];
  expect(tested.split(', ')).toEqual(NODE_VERSIONS.map((version) => `${version}-bookworm`));
  const [, named = ''] = /CI runs Node\.js ([\d., and]+)\./.exec(textOf('README.md')) ?? [];
  expect(named.split(/, | and /)).toEqual(NODE_VERSIONS.map((version) => version.split('.')[0]));
});

test.each(['package.json', 'packages/client/package.json', 'packages/mcp/package.json'])(
  '%s requires the oldest of them',
  (file) => {
    const { engines } = JSON.parse(textOf(file)) as { engines: { node: string } };
    expect(engines.node).toBe(`>=${OLDEST}`);
  },
);

test.each(['README.md', 'apps/server/bin/service.js'])('%s names the oldest of them', (file) => {
  expect(textOf(file)).toMatch(new RegExp(`Node\\.js ${OLDEST.replace('.', '\\.')}(?:\\+| or newer)`));
});

test('the image, the releases, the other jobs and a checkout use one version of them', () => {
  const files = [
    'deploy/Containerfile',
    '.github/workflows/audit.yml',
    '.github/workflows/ci.yml',
    '.github/workflows/publish-kit.yml',
    '.github/workflows/release.yml',
    '.nvmrc',
  ];
  const used = files.flatMap((file) =>
    [...textOf(file).matchAll(/node:(\d+)-bookworm|node-version: (\d+)|^(\d+)$/gm)].map(
      ([, image, action, alone]) => image ?? action ?? alone,
    ),
  );
  expect(used.length).toBeGreaterThan(files.length);
  expect([...new Set(used)]).toEqual(['24']);
});
