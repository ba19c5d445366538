import path from 'node:path';
import { build } from 'tsup';
import { root } from '../workspace.ts';
import { inFolder } from './in-folder.ts';

/** Builds the command that serves the tools into one file, `packages/mcp/dist/main.js`. */
export async function buildMcp(): Promise<void> {
  await build({
    ...inFolder(path.join(root, 'packages/mcp')),
    entry: ['src/main.ts'],
    format: ['esm'],
    target: 'node20',
    sourcemap: true,
    clean: true,
    splitting: false,
  });
}
