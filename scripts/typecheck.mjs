// `npm run typecheck` of a workspace, or of all at the root. The types of the kit are those of its build.
import { buildKitIfStale } from './build-kit-if-stale.mjs';

buildKitIfStale();
process.argv.push('-p', '.');
await import('./tsc.mjs');
