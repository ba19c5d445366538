import { rmSync } from 'node:fs';
import * as support from '@petstore/server/test/support/workspace';
import type { Bench } from './bench.ts';

/** A copy of this workspace, outside of it, that goes with the bench. */
export function copyWorkspace(bench: Bench): support.Workspace {
  const workspace = support.copyWorkspace();
  bench.onEnd(() => rmSync(workspace.folder, { recursive: true, force: true }));
  return workspace;
}
