/*
 * Loaded by Jest before each suite. Fails a suite that reads a file of the repository which is not among the inputs of its
 * package's tests in turbo.json: Turbo would reuse its result after a change of that file. It does not see what programs
 * read that a suite starts.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

interface Manifest {
  readonly name: string;
  readonly dependencies?: object;
  readonly devDependencies?: object;
}

const root = path.resolve(import.meta.dirname, '..');
const IN_ROOT = '$TURBO_ROOT$/';
/** Not of the repository. */
const SKIPPED = /(^|\/)(node_modules|dist|\.git|\.turbo|\.data|coverage)(\/|$)/;

/** The inputs of `test` in the root that `turbo.json` of a folder names. */
function rootInputsIn(folder: string): string[] {
  const file = path.join(root, folder, 'turbo.json');
  if (!fs.existsSync(file)) return [];
  const json = fs.readFileSync(file, 'utf8').replaceAll(/^ *\/\/.*/gm, '');
  const { tasks } = JSON.parse(json) as { tasks: { test?: { inputs?: string[] } } };
  const inputs = tasks.test?.inputs ?? [];
  return inputs.filter((input) => input.startsWith(IN_ROOT)).map((input) => input.slice(IN_ROOT.length));
}

/** The folder of the package with this suite, and those of the packages that it depends on. */
function ownFolders(suite: string): string[] {
  const { workspaces } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    workspaces: string[];
  };
  const folders = workspaces.flatMap((pattern) => {
    const parent = path.dirname(pattern);
    return fs.readdirSync(path.join(root, parent)).map((name) => `${parent}/${name}`);
  });
  const packages = folders.flatMap((folder) => {
    const file = path.join(root, folder, 'package.json');
    if (!fs.existsSync(file)) return [];
    return [{ folder, manifest: JSON.parse(fs.readFileSync(file, 'utf8')) as Manifest }];
  });
  const own = packages.filter(({ folder }) => suite.startsWith(`${folder}/`));
  for (const { manifest } of own) {
    const needed = { ...manifest.dependencies, ...manifest.devDependencies };
    own.push(...packages.filter((item) => item.manifest.name in needed && !own.includes(item)));
  }
  return own.map(({ folder }) => folder);
}

const WILDCARDS: Readonly<Record<string, string>> = { '**': '.+', '*': '[^/]*' };

/** Whether an input such as `docs/**` or `jest.*` covers `file`, a file or a folder that was listed. */
function covers(input: string, file: string): boolean {
  const pattern = input.replaceAll(/\*\*?|[^\w/-]/g, (part) => WILDCARDS[part] ?? `\\${part}`);
  return new RegExp(`^${pattern}$`).test(file) || input.startsWith(`${file}/`);
}

type Read = (target: unknown, ...rest: unknown[]) => unknown;
type Methods = Record<string, Read>;

/** Node's own module is the same for all suites of a process: it is changed once, and notes reads for the current one. */
const shared = fs as unknown as { reads?: Set<string> };

function watch(): void {
  const note = (target: unknown) => {
    if (typeof target !== 'string' && !(target instanceof URL)) return;
    const file = typeof target === 'string' ? path.resolve(target) : fileURLToPath(target);
    const name = path.relative(root, file);
    if (!name.startsWith('..') && !SKIPPED.test(name)) shared.reads?.add(name);
  };
  const names = ['readFile', 'readdir', 'open', 'copyFile', 'cp'];
  const all = [...names, ...names.map((name) => `${name}Sync`), 'createReadStream', 'openAsBlob'];
  for (const methods of [fs, fs.promises] as unknown as Methods[])
    for (const name of all.filter((item) => item in methods)) {
      const original = methods[name] as Read;
      methods[name] = function (this: unknown, target, ...rest) {
        note(target);
        return original.call(this, target, ...rest);
      };
    }
}

const suite = path.relative(root, expect.getState().testPath ?? '');
const own = ownFolders(suite);
const inputs = ['', ...own.slice(0, 1)].flatMap(rootInputsIn);

if (!shared.reads) watch();
const reads = new Set<string>();
shared.reads = reads;

/** Forgets and returns the files that this suite has read and its package does not name. */
export function takeUndeclared(): string[] {
  const files = [...reads].filter(
    (file) =>
      !own.some((folder) => `${file}/`.startsWith(`${folder}/`)) &&
      !inputs.some((input) => covers(input, file)),
  );
  reads.clear();
  return files;
}

afterAll(() => {
  const files = takeUndeclared().join(', ');
  if (files !== '')
    throw new Error(`${suite} reads ${files}: name that in ${own[0]}/turbo.json, in the inputs of test`);
});
