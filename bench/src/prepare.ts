import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from '@kit/tools/command';
import { root } from './data.ts';

const folder = path.join(root, 'bench');
const lock = path.join(folder, 'package-lock.json');
const installed = path.join(folder, 'node_modules/.installed.json');

function run(command: string, args: string[], cwd: string): void {
  const { status } = spawnSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new CommandError(`bench: ${command} ${args.join(' ')} failed`);
}

/** Installs the packages of the peers if they are missing or old, and builds what is measured. */
export function prepare(): void {
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== readFileSync(lock, 'utf8')) {
    console.error('bench: installing the packages of bench/package-lock.json');
    run('npm', ['ci', '--no-audit', '--no-fund'], folder);
    copyFileSync(lock, installed);
  }
  const packages = ['--filter=@petstore/server', '--filter=@petstore/client'];
  run('npx', ['turbo', 'run', 'build', ...packages, '--output-logs=errors-only', '--log-prefix=none'], root);
}
