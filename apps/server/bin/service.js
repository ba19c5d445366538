#!/usr/bin/env node
// Committed, because npm does not link a bin whose file is missing at `npm ci`.
import { existsSync } from 'node:fs';

// A packaged service has no sources.
if (existsSync(new URL('../src', import.meta.url)))
  (await import('../../../scripts/sources.mjs')).buildIfStale('apps/server');

await import(new URL('../dist/bundle/main.js', import.meta.url).href);
