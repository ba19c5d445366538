import { create } from '../../src/create/create.ts';

/** Makes the repository of the contract in `file` without its packages, which `linkPackages` links, and returns what is said. */
export function createBare(folder: string, file: string, leavesOut = false): Promise<string> {
  return create({
    ...{ folder, file, leavesOut, isInstalled: false, say: () => undefined },
    ...{ name: undefined, filesIn: undefined, packages: undefined },
  });
}
