// `contract-kit` of this checkout, which is built first if its sources have changed.
import { buildIfStale } from './sources.mjs';

buildIfStale('packages/kit/cli');
await import(new URL('../packages/kit/cli/bin/contract-kit.js', import.meta.url).href);
