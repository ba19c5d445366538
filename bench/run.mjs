// `npm run bench -- …`: installs the bench's own packages if they are missing or old, builds what is measured, runs.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = import.meta.dirname;
const args = process.argv.slice(2);

function run(command, args, cwd = folder) {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}

// The help needs only the packages of the root.
if (!args.includes('--help') && !args.includes('-h')) {
  const lock = path.join(folder, 'package-lock.json');
  const installed = path.join(folder, 'node_modules/.installed.json');
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== readFileSync(lock, 'utf8')) {
    console.error('bench: installing the packages of bench/package-lock.json');
    run('npm', ['ci', '--no-audit', '--no-fund']);
    copyFileSync(lock, installed);
  }
  const packages = ['--filter=@petstore/server', '--filter=@petstore/client'];
  const build = [
    'run',
    '--silent',
    'build',
    '--',
    ...packages,
    '--output-logs=errors-only',
    '--log-prefix=none',
  ];
  run('npm', build, path.dirname(folder));
}
// From where it was called, so that --against takes a relative path.
const main = path.join(folder, 'src/main.ts');
run(process.execPath, ['--import', import.meta.resolve('tsx'), main, ...args], process.cwd());
