import type { Options } from 'tsup';

/** Options for a build of the package in `folder`, which becomes the current one: tsup and esbuild look there for files. */
export function inFolder(folder: string): Options {
  process.chdir(folder);
  return {
    config: false,
    silent: true,
    esbuildOptions(options) {
      // By default that in which esbuild was loaded.
      options.absWorkingDir = folder;
    },
  };
}
