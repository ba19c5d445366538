import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isFitting, VERSION } from '@contract-kit/core';
import { generate, misfitIn } from '../src/generate/generate.ts';

const kit = path.join(__dirname, '../..');

test.each(['core', 'client', 'mcp', 'server', 'testing', 'cli'])(
  '%s has the one version of the kit',
  (name) => {
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
  },
);

test('code fits the minor version that generated it', () => {
  expect(['0.1.0', '0.1.9'].map((version) => isFitting(version, '0.1.3'))).toEqual([true, true]);
  expect(['0.2.0', '1.1.0', '0.10.0'].map((version) => isFitting(version, '0.1.3'))).toEqual([
    false,
    false,
    false,
  ]);
});

test('generated code names the version that made it, and a misfit is found', async () => {
  const files = Object.entries(await generate());
  const madeBy = (version: string) =>
    files.map(([name, wanted]) => ({
      name,
      wanted,
      present: wanted.replace(`kit ${VERSION}`, `kit ${version}`),
    }));
  expect(misfitIn(madeBy(VERSION))).toBeUndefined();
  expect(misfitIn(madeBy(`${VERSION.replace(/\d+$/, '99')}`))).toBeUndefined();
  expect(misfitIn(madeBy('99.1.0'))).toBe('99.1.0');
});
