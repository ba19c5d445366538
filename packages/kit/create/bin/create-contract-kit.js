#!/usr/bin/env node
// `npm create contract-kit FOLDER -- --contract FILE` is `contract-kit create FOLDER --contract FILE`.
process.argv.splice(2, 0, 'create');
await import('@contract-kit/cli/bin');
