#!/usr/bin/env node
// Committed as it is, because npm links no bin whose file is missing at `npm ci`.
import { existsSync } from 'node:fs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`contract-kit: Node.js ${process.versions.node} is too old. Install Node.js 20.19 or newer.`);
  process.exit(1);
}

// The published package has no sources.
if (existsSync(new URL('../src', import.meta.url)))
  (await import('../../../../scripts/build-kit-if-stale.mjs')).buildKitIfStale();

await import(new URL('../dist/main.js', import.meta.url).href);
