#!/usr/bin/env node
// Committed as it is, because npm links no bin whose file is missing at `npm ci`.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The published package has no sources.
if (existsSync(new URL('../src', import.meta.url))) {
  const { buildIfStale } = await import('@contract-kit/cli/build-if-stale');
  buildIfStale(fileURLToPath(new URL('../../..', import.meta.url)), 'mcp');
}

await import(new URL('../dist/main.js', import.meta.url).href);
