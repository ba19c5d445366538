#!/usr/bin/env node
// Committed as it is, because npm links no bin whose file is missing at `npm ci`. The program is built on first use.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const program = path.join(import.meta.dirname, '../dist/bundle/main.js');

if (!existsSync(program)) {
  console.error('petstore: building on first use …');
  const build = spawnSync('npm', ['run', '--silent', 'build:server'], {
    cwd: path.join(import.meta.dirname, '../../..'),
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (build.status !== 0) {
    console.error('petstore: the build failed; run `npm ci` and then `npm run build` to see why.');
    process.exit(1);
  }
}

await import(program);
