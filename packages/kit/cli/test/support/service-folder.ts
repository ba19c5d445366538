import { rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../src/workspace.ts';
import { inNewFolder as inBareFolder } from '../../src/check/compile.ts';

/** As `inFolder` of the check, with all packages of the workspace: a service uses more than the kit, and is run by tsx. */
export const inFolder: typeof inBareFolder = (outputs, use) =>
  inBareFolder(outputs, (folder) => {
    const packages = path.join(folder, 'node_modules');
    rmSync(packages, { recursive: true });
    symlinkSync(path.join(root, 'node_modules'), packages, 'junction');
    return use(folder);
  });
