#!/usr/bin/env node
// Committed as it is, because npm links no bin whose file is missing at `npm ci`.
import { existsSync } from 'node:fs';

// The published package has no sources.
if (existsSync(new URL('../src', import.meta.url)))
  (await import('../../../../scripts/build-kit-if-stale.mjs')).buildKitIfStale();

await import(new URL('../dist/main.js', import.meta.url).href);
