// `npm run typecheck` of a workspace, or of all at the root. The types of the kit are those of its build.
import { buildKitIfStale } from '@contract-kit/cli/build-if-stale';

buildKitIfStale();
process.argv.push('-p', '.');
await import('./tsc.mjs');
