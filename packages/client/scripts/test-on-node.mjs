// Runs the tests on other versions of Node.js: npm run test:node --workspace @petstore/client -- 22 24
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '..');
const jest = path.join(
  path.dirname(createRequire(import.meta.url).resolve('jest/package.json')),
  'bin/jest.js',
);

function run(file, args, env = process.env) {
  const { status, error } = spawnSync(file, args, { cwd: folder, env, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** The program that the npm registry has of this major version for this machine. */
function nodeOf(version) {
  const name = `node-${process.platform}-${process.arch}`;
  const prefix = path.join(folder, 'node_modules/.cache/node', version);
  mkdirSync(prefix, { recursive: true });
  run('npm', [
    'install',
    '--prefix',
    prefix,
    '--no-save',
    '--ignore-scripts',
    '--silent',
    `${name}@${version}`,
  ]);
  return path.join(prefix, 'node_modules', name, 'bin');
}

const versions = process.argv.slice(2).filter((argument) => /^\d+$/.test(argument));
if (versions.length === 0) throw new Error('Name the versions, such as: 22 24');
for (const version of versions) {
  const bin = nodeOf(version);
  run(path.join(bin, 'node'), ['--print', '"Node.js " + process.version']);
  run(path.join(bin, 'node'), [jest], {
    ...process.env,
    PATH: bin + path.delimiter + process.env.PATH,
    // The service stays on the version that its SQLite was compiled for.
    SERVER_NODE: process.execPath,
  });
}
