import path from 'node:path';
import { build } from 'tsup';
import { root } from '../workspace.ts';

/** Builds the command that serves the tools into one file, `packages/mcp/dist/main.js`. */
export async function buildMcp(): Promise<void> {
  // tsup looks for sources and package.json in the current folder.
  process.chdir(path.join(root, 'packages/mcp'));
  await build({
    config: false,
    silent: true,
    entry: ['src/main.ts'],
    format: ['esm'],
    target: 'node20',
    sourcemap: true,
    clean: true,
    splitting: false,
  });
}
