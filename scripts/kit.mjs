// `contract-kit` of this checkout, which is built first if its sources have changed.
import { buildIfStale } from './sources.mjs';

buildIfStale('packages/kit/cli');
await import('../packages/kit/cli/bin/contract-kit.js');
