// `npm run bench -- …`: installs the bench's own packages where they are missing or old, builds what is measured, runs.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = import.meta.dirname;
const root = path.dirname(folder);

function run(command, args, cwd = folder) {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}

const inFolder = (file) => path.join(folder, file);
const read = (file) => (existsSync(inFolder(file)) ? readFileSync(inFolder(file), 'utf8') : undefined);

const args = process.argv.slice(2);
// To say what there is takes no more than the root's packages.
if (!args.some((arg) => arg === '--help' || arg === '-h')) {
  if (read('node_modules/.installed.json') !== read('package-lock.json')) {
    console.error('bench: installing its own packages, as bench/package-lock.json says');
    run('npm', ['ci', '--no-audit', '--no-fund']);
    copyFileSync(inFolder('package-lock.json'), inFolder('node_modules/.installed.json'));
  }
  const quietly = ['--output-logs=errors-only', '--log-prefix=none'];
  run(
    'npm',
    ['run', '--silent', 'build', '--', '--filter=@petstore/server', '--filter=@petstore/client', ...quietly],
    root,
  );
  run('npm', ['run', '--silent', 'build']);
}
run(process.execPath, ['--import', 'tsx', '--conditions=@petstore/source', 'src/main.ts', ...args]);
