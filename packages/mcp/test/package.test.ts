import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(__dirname, '..');

test('npm pack packs the command, and nothing else', () => {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--silent', '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const [{ files } = { files: [] }] = JSON.parse(output) as { files: { path: string }[] }[];
  expect(files.map((each) => each.path).sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'bin/petstore-mcp.js',
    'dist/main.js',
    'package.json',
  ]);
});

test('its version is that of the client, which is built in', () => {
  const [own, client] = [folder, path.join(folder, '../client')].map(
    (each) =>
      (JSON.parse(readFileSync(path.join(each, 'package.json'), 'utf8')) as { version: string }).version,
  );
  expect(own).toBe(client);
});

test('the command imports Node.js and what the package depends on, and has all else built in', () => {
  const built = readFileSync(path.join(folder, 'dist/main.js'), 'utf8');
  const imported = [...built.matchAll(/^import .* from "(.+)";$/gm)].map(([, name]) => name);
  expect(new Set(imported)).toEqual(
    new Set(['@modelcontextprotocol/server', '@modelcontextprotocol/server/stdio', 'util']),
  );
});
