import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { editFile, newFolder, originOf, startProcess, stopAtEnd } from '@contract-kit/test-support/testing';
import { root } from '@petstore/server/testing';

/** Not what npm, Turbo and Jest set for the tests. */
export const environment: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm|turbo|jest|test|node)_/i.test(name)),
);

/** Runs a program, and resolves to its output. Rejects with it if the program fails. */
export async function output(cwd: string, program: string, ...args: string[]): Promise<string> {
  try {
    const options = { cwd, env: environment, maxBuffer: 1e8 };
    return (await promisify(execFile)(program, args, options)).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

/** A repository that `create` made. */
export interface Repository {
  readonly folder: string;
  readonly file: (name: string) => string;
  /** Changes a file. Throws if the edit changes nothing. */
  readonly edit: (name: string, change: (text: string) => string) => void;
  npm(...args: string[]): Promise<string>;
  git(...args: string[]): Promise<string>;
  /** Commits everything. */
  commit(): Promise<string>;
  /** Runs what `npm start` does, on a free port, and finds the printed address, `curl` line and key. `stop` ends the service. */
  start(): Promise<{ origin: string; key: string; curl: string; stop: () => Promise<unknown> }>;
}

/** `npm run create` with these arguments, of the checkout. */
export const create = (...args: string[]) => output(root, process.execPath, 'scripts/create.mjs', ...args);

/** Has the repository of a contract made, and commits it. */
export async function createRepository(contract: string, name: string): Promise<Repository> {
  const folder = path.join(newFolder(), name);
  await create(folder, '--contract', contract);
  const file = (name: string) => path.join(folder, name);
  const git = (...args: string[]) => output(folder, 'git', ...args);
  async function commit() {
    await git('add', '-A');
    return git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-qm', 'Add');
  }
  await commit();
  return {
    folder,
    file,
    edit: (name, change) => editFile(file(name), change),
    npm: (...args) => output(folder, 'npm', ...args),
    git,
    commit,
    async start() {
      const service = startProcess(
        process.execPath,
        ['apps/server/bin/service.js', 'serve', '--demo', '--port', '0'],
        { cwd: folder, env: environment },
      );
      stopAtEnd('service', () => service.kill('SIGTERM'));
      const origin = await originOf(service);
      const [curl = ''] = /curl .*/.exec(service.output.stdout) ?? [];
      const [key = ''] = /\b[a-z0-9]+_\w{20,}/.exec(curl) ?? [];
      return { origin, key, curl, stop: () => service.kill('SIGTERM') };
    },
  };
}
