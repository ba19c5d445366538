import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { editFile, newFolder, originOf, startProcess, stopAtEnd } from '@contract-kit/test-support/testing';

/** The root of the workspace. */
export const root = path.resolve(import.meta.dirname, '../../../..');

const packages = {
  'create-contract-kit': 'packages/kit/create',
  '@contract-kit/cli': 'packages/kit/cli',
  '@contract-kit/client': 'packages/kit/client',
  '@contract-kit/core': 'packages/kit/core',
  '@contract-kit/mcp': 'packages/kit/mcp',
  '@contract-kit/testing': 'packages/kit/testing',
  '@contract-kit/server': 'packages/kit/server',
  '@contract-kit/test-support': 'packages/test-support',
  '@invoicing/server': 'examples/invoicing',
  '@petstore/contract': 'packages/contract',
  '@petstore/client': 'packages/client',
  '@petstore/end-to-end': 'apps/end-to-end',
  '@petstore/mcp': 'packages/mcp',
  '@petstore/server': 'apps/server',
};

const SOURCES = ['--import', 'tsx'];
const COMMAND = 'apps/server/src/main.ts';

/** A copy of the whole workspace, with the installed packages. */
export interface Workspace {
  readonly folder: string;
  readonly file: (name: string) => string;
  /** Changes a file. Throws if the edit changes nothing. */
  readonly edit: (name: string, change: (text: string) => string) => void;
  /** Runs a script with Node.js in `folder`. Resolves to its output, or rejects with it. */
  run(script: string, ...args: string[]): Promise<string>;
  /** The same for a script in TypeScript. */
  runSource(script: string, ...args: string[]): Promise<string>;
  generate(): Promise<string>;
  typecheck(project?: string): Promise<string>;
  /** Commits everything. */
  commit(): Promise<string>;
  git(...args: string[]): Promise<string>;
  npm(...args: string[]): Promise<string>;
  /** Runs `npm run check` without the tests of the kit, which serve another contract. */
  check(): Promise<string>;
  /** Runs tests of a workspace of the copy. */
  jest(workspace: string, ...args: string[]): Promise<string>;
  /** Runs the command from its sources, on the data folder of `serve`. */
  petstore(...args: string[]): Promise<string>;
  /** Starts the service from its sources with demo data, and finds the printed `curl` line. `stop` ends it. */
  serve(): Promise<{ origin: string; key: string; curl: string; stop: () => Promise<unknown> }>;
}

export function copyWorkspace(): Workspace {
  const folder = newFolder();
  const skipped = new Set(['node_modules', 'dist', '.git', '.turbo', '.data']);
  cpSync(root, folder, {
    recursive: true,
    // The kit is built, as its users get it.
    filter: (source) =>
      source === root ||
      !skipped.has(path.basename(source)) ||
      /^packages\/kit\/[^/]+\/dist$/.test(path.relative(root, source)),
  });
  for (const item of ['.', ...Object.values(packages)]) linkModules(folder, item);

  const file = (name: string) => path.join(folder, name);
  const env = { ...process.env, DATA_DIR: file('.data') };
  async function runProgram(program: string, args: string[], environment: NodeJS.ProcessEnv) {
    try {
      const options = { cwd: folder, env: environment, maxBuffer: 1e8 };
      return (await promisify(execFile)(program, args, options)).stdout;
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      throw new Error(`${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
    }
  }
  const run = (...args: string[]) => runProgram(process.execPath, args, env);
  const runSource = (...args: string[]) => run(...SOURCES, ...args);
  // Variables of Turbo, npm and Jest describe the surrounding workspace, and the scale of its tests.
  const own = Object.entries(process.env).filter(([name]) => !/^(turbo|npm|jest|test)_/i.test(name));
  const environment = Object.fromEntries(own);
  const npm = (...args: string[]) => runProgram('npm', args, environment);
  const git = (...args: string[]) => runProgram('git', args, environment);
  async function commit() {
    await git('init', '-q');
    await git('add', '-A');
    return git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-qm', 'Add');
  }
  return {
    folder,
    file,
    edit: (name, change) => editFile(file(name), change),
    run,
    runSource,
    commit,
    git,
    npm,
    generate: () => run('packages/kit/cli/bin/contract-kit.js', 'generate'),
    typecheck: (project = '.') => run('scripts/tsc.mjs', '-p', project),
    async check() {
      await commit();
      await npm('run', 'check:static');
      return npm('test', '--', '--filter=!@contract-kit/*');
    },
    jest(workspace, ...args) {
      const settings = ['--rootDir', workspace, '--config', `${workspace}/jest.config.mjs`];
      return run('node_modules/jest/bin/jest.js', ...settings, ...args);
    },
    petstore: (...args) => runSource(COMMAND, ...args),
    async serve() {
      const args = [...SOURCES, COMMAND, 'serve', '--demo', '--port', '0'];
      const service = startProcess(process.execPath, args, { cwd: folder, env });
      stopAtEnd('service', () => service.kill('SIGKILL'));
      const origin = await originOf(service);
      const [curl = ''] = /curl .*/.exec(service.output.stdout) ?? [];
      const [key = ''] = /\b[a-z]+_\w{20,}/.exec(curl) ?? [];
      return { origin, key, curl, stop: () => service.kill('SIGKILL') };
    },
  };
}

/** The copy uses the installed packages, and its own workspaces. */
function linkModules(workspace: string, folder: string): void {
  const scopes = new Set(Object.keys(packages).map((name) => name.split('/')[0]));
  const from = path.join(root, folder, 'node_modules');
  const to = path.join(workspace, folder, 'node_modules');
  mkdirSync(to, { recursive: true });
  for (const name of readDirectory(from)) {
    if (name === '.bin')
      cpSync(path.join(from, name), path.join(to, name), { recursive: true, verbatimSymlinks: true });
    else if (name !== '.cache' && !scopes.has(name) && !(name in packages))
      symlinkSync(path.join(from, name), path.join(to, name));
  }
  if (folder !== '.') return;
  for (const [name, target] of Object.entries(packages)) {
    mkdirSync(path.dirname(path.join(to, name)), { recursive: true });
    symlinkSync(path.join(workspace, target), path.join(to, name));
  }
}

function readDirectory(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
