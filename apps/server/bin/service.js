#!/usr/bin/env node
// Committed, because npm does not link a bin whose file is missing at `npm ci`.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19))
  fail(`Node.js ${process.versions.node} is too old. Install Node.js 20.19 or newer.`);

// A packaged service has no sources.
if (existsSync(new URL('../src', import.meta.url))) {
  try {
    import.meta.resolve('@contract-kit/cli/build-if-stale');
  } catch {
    fail('The packages are not installed. Run `npm ci`.');
  }
  const { buildIfStale } = await import('@contract-kit/cli/build-if-stale');
  buildIfStale(fileURLToPath(new URL('../../..', import.meta.url)), 'server');
}

await import(new URL('../dist/bundle/main.js', import.meta.url).href);

/** @param {string} message */
function fail(message) {
  console.error(`${path.basename(process.argv[1] ?? '', '.js')}: ${message}`);
  process.exit(1);
}
