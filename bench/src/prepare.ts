import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildCatalogue } from './catalogue-servers.ts';
import { runIn } from './checkout.ts';
import { root } from './data.ts';

const folder = path.join(root, 'bench');
const lock = path.join(folder, 'package-lock.json');
const installed = path.join(folder, 'node_modules/.installed.json');

/** Installs the packages of the peers if they are missing or old, and builds what is measured. */
export function prepare(): void {
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== readFileSync(lock, 'utf8')) {
    console.error('bench: installing the packages of bench/package-lock.json');
    runIn(folder, 'npm', 'ci', '--no-audit', '--no-fund');
    copyFileSync(lock, installed);
  }
  const packages = ['--filter=@petstore/server', '--filter=@petstore/client'];
  runIn(root, 'npx', 'turbo', 'run', 'build', ...packages, '--output-logs=errors-only', '--log-prefix=none');
  buildCatalogue();
}
