import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Installed {
  readonly folder: string;
  readonly tarball: string;
  /** Writes a file next to the package's users. */
  write(name: string, text: string): string;
  /** Runs a program in the folder and returns its output. Throws, with the output, if it fails. */
  run(file: string, ...args: string[]): string;
  /** Compiles these files, by default with TypeScript 7. Throws, with the errors, if they do not compile. */
  compile(sources: Readonly<Record<string, string>>, options?: object, compiler?: string): void;
  remove(): void;
}

const root = path.resolve(import.meta.dirname, '../../..');

/** A package, of this workspace or of another folder, as its users get it: packed, and installed into an empty folder. */
export function installPacked(workspace: string): Installed {
  const source = path.resolve(root, workspace);
  const { name } = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8')) as { name: string };
  const folder = mkdtempSync(path.join(tmpdir(), 'packed-'));
  const write = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const run = (file: string, ...args: string[]) => {
    try {
      return execFileSync(file, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${file} ${args.join(' ')}\n${stdout}\n${stderr}`, { cause: error });
    }
  };
  // Packed once per test run, which has its own folder for temporary files.
  const tarball = path.join(tmpdir(), `${name.replace(/\W/g, '-')}.tgz`);
  if (!existsSync(tarball)) {
    const options = ['--pack-destination', folder, '--silent', '--ignore-scripts'];
    const packed = run('npm', 'pack', source, ...options);
    renameSync(path.join(folder, packed.trim()), tarball);
  }
  const target = path.join(folder, 'node_modules', name);
  mkdirSync(target, { recursive: true });
  run('tar', '-xzf', tarball, '-C', target, '--strip-components', '1');
  return {
    folder,
    tarball,
    write,
    run,
    compile(sources, options, compiler = path.join(root, 'scripts/tsc.mjs')) {
      for (const [name, text] of Object.entries(sources)) write(name, text);
      const compilerOptions = {
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable'],
        types: [],
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        // The types of the package are checked, those of TypeScript are not.
        skipLibCheck: false,
        skipDefaultLibCheck: true,
        ...options,
      };
      write('tsconfig.json', JSON.stringify({ compilerOptions, files: Object.keys(sources) }));
      run(process.execPath, compiler, '-p', '.');
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The file of a command of a development dependency. */
export function command(name: string): string {
  return path.join(root, 'node_modules/.bin', name);
}
