import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isFitting, VERSION } from '@contract-kit/core/version';

const kit = path.join(__dirname, '../..');

test.each(['core', 'client', 'mcp', 'server', 'cli'])('%s has the one version of the kit', (name) => {
  const manifest = JSON.parse(readFileSync(path.join(kit, name, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const own = Object.entries(manifest.dependencies).filter(([dependency]) =>
    dependency.startsWith('@contract-kit/'),
  );
  expect([manifest.version, ...own.map(([, version]) => version)]).toEqual(
    Array.from({ length: own.length + 1 }, () => VERSION),
  );
});

test('code fits the minor version that generated it', () => {
  expect(['0.1.0', '0.1.9'].map((version) => isFitting(version, '0.1.3'))).toEqual([true, true]);
  expect(['0.2.0', '1.1.0', '0.10.0'].map((version) => isFitting(version, '0.1.3'))).toEqual([
    false,
    false,
    false,
  ]);
});
