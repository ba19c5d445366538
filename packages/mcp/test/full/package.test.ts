import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import client from '@petstore/client/package.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };

const folder = path.resolve(__dirname, '../..');

/** The packed files, in a folder outside of the workspace with only the dependencies that the manifest lists. */
function install(): { files: string[]; bin: string } {
  const options = ['--pack-destination', tmpdir(), '--json', '--silent', '--ignore-scripts'];
  const output = execFileSync('npm', ['pack', ...options], { cwd: folder, encoding: 'utf8' });
  const [packed] = JSON.parse(output) as { filename: string; files: { path: string }[] }[];
  const home = mkdtempSync(path.join(tmpdir(), 'petstore-mcp-'));
  const tarball = path.join(tmpdir(), packed?.filename ?? '');
  execFileSync('tar', ['-xzf', tarball, '-C', home, '--strip-components', '1']);
  for (const name of Object.keys(manifest.dependencies)) {
    const target = path.join(home, 'node_modules', name);
    mkdirSync(path.dirname(target), { recursive: true });
    symlinkSync(path.resolve(folder, '../../node_modules', name), target);
  }
  const files = packed?.files.map((file) => file.path).sort() ?? [];
  return { files, bin: path.join(home, manifest.bin['petstore-mcp']) };
}

test('npm pack packs only the command, which runs with only its dependencies', () => {
  const { files, bin } = install();
  expect(files).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'bin/petstore-mcp.js',
    'dist/main.js',
    'dist/main.js.map',
    'package.json',
  ]);
  const run = (flag: string) => execFileSync(process.execPath, [bin, flag], { encoding: 'utf8', env: {} });
  expect(run('--help')).toMatch(/^Usage: petstore-mcp .*PETSTORE_API_KEY/s);
  expect(run('--version')).toBe(`${manifest.version}\n`);
});

test('its version is that of the bundled client', () => {
  expect(manifest.version).toBe(client.version);
});
