#!/usr/bin/env node
// Committed as it is, because npm links no bin whose file is missing at `npm ci`. In a checkout, the program is built
// when it is missing or older than its sources. The package has no sources.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../../..');
const isCheckout = existsSync(path.join(import.meta.dirname, '../src'));

if (isCheckout && !(await import(path.join(root, 'scripts/sources.mjs'))).isBuilt('packages/mcp')) {
  console.error('petstore-mcp: building, because the sources have changed …');
  const build = spawnSync(
    'npx',
    ['turbo', 'run', 'build', '--output-logs=errors-only', '--log-prefix=none'],
    {
      cwd: path.join(import.meta.dirname, '..'),
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
      // The client reads the protocol from stdout.
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    },
  );
  if (build.status !== 0) {
    console.error('petstore-mcp: the build failed; run `npm ci` and then `npm run build` to see why.');
    process.exit(1);
  }
}

await import(path.join(import.meta.dirname, '../dist/main.js'));
