#!/usr/bin/env node
// Committed as it is, because npm links no bin whose file is missing at `npm ci`.
import { existsSync } from 'node:fs';

// A packaged service has no sources.
if (existsSync(new URL('../src', import.meta.url)))
  (await import('../../../scripts/sources.mjs')).buildIfStale('apps/server');

await import(new URL('../dist/bundle/main.js', import.meta.url).href);
