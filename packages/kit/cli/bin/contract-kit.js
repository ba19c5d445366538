#!/usr/bin/env node
// Committed as it is, because npm links no bin whose file is missing at `npm ci`.
await import(new URL('../dist/main.js', import.meta.url).href);
