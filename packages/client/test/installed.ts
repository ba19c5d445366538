import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Installed {
  readonly folder: string;
  /** The packed package. */
  readonly tarball: string;
  /** Writes a file next to the package's users. */
  write(name: string, text: string): string;
  /** Runs a program in the folder and gives what it prints. Throws, with all of that, if it fails. */
  run(file: string, ...args: string[]): string;
  remove(): void;
}

const packageFolder = path.resolve(__dirname, '..');

/** The package as its users get it: packed, and installed into an empty folder outside of the workspace. */
export function installPacked(): Installed {
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-client-'));
  const run = (file: string, ...args: string[]) => {
    try {
      return execFileSync(file, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${file} ${args.join(' ')}\n${stdout}\n${stderr}`, { cause: error });
    }
  };
  // Packed once in a run of the tests, whose own this folder of temporary files is.
  const tarball = path.join(tmpdir(), 'petstore-client.tgz');
  if (!existsSync(tarball)) {
    const name = run(
      'npm',
      'pack',
      packageFolder,
      '--pack-destination',
      folder,
      '--silent',
      '--ignore-scripts',
    );
    renameSync(path.join(folder, name.trim()), tarball);
  }
  const target = path.join(folder, 'node_modules/@petstore/client');
  mkdirSync(target, { recursive: true });
  run('tar', '-xzf', tarball, '-C', target, '--strip-components', '1');
  return {
    folder,
    tarball,
    write(name, text) {
      writeFileSync(path.join(folder, name), text);
      return path.join(folder, name);
    },
    run,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The file that a command of a development dependency is. */
export function command(name: string): string {
  return path.resolve(packageFolder, '../../node_modules/.bin', name);
}

/** TypeScript 7; `test:full` compiles with the older ones. */
export const compiler = path.resolve(packageFolder, '../../scripts/tsc.mjs');
