#!/usr/bin/env node
// Committed as it is, because npm links no bin whose file is missing at `npm ci`. A checkout is built on first use.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const program = path.join(import.meta.dirname, '../dist/main.js');

if (!existsSync(program)) {
  console.error('petstore-mcp: building on first use …');
  const build = spawnSync(process.execPath, ['scripts/turbo.mjs', 'run', 'build', '--filter=@petstore/mcp'], {
    cwd: path.join(import.meta.dirname, '../../..'),
    // The client reads the protocol from stdout.
    stdio: ['ignore', 2, 2],
  });
  if (build.status !== 0) {
    console.error('petstore-mcp: the build failed; run `npm ci` and then `npm run build` to see why.');
    process.exit(1);
  }
}

await import(program);
