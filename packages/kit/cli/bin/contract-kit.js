#!/usr/bin/env node
// Committed as it is, because npm links no bin whose file is missing at `npm ci`.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`contract-kit: Node.js ${process.versions.node} is too old. Install Node.js 20.19 or newer.`);
  process.exit(1);
}

// Not imported above: an older Node.js could not load it.
const { buildKitIfStale } = await import('./build-if-stale.js');
buildKitIfStale();

await import(new URL('../dist/main.js', import.meta.url).href);
