import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { CommandError } from '../command.ts';

/** The contract in a file, or at a git tag, branch or commit, and its name in messages. Throws a CommandError. */
export async function readBase(root: string, base: string): Promise<{ name: string; text: string }> {
  const text = await readFile(path.resolve(root, base), 'utf8').catch(() => undefined);
  if (text !== undefined) return { name: base, text };
  const commit = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${base}^{commit}`];
  const id = (await git(root, ...commit).catch(() => '')).trim();
  if (id === '') throw new CommandError(`there is no file, git tag, branch or commit ${base || "''"} here`);
  const committed = await git(root, 'show', `${id}:./openapi.yaml`).catch(() => {
    throw new CommandError(`${base} has no openapi.yaml`);
  });
  return { name: `${base}:openapi.yaml`, text: committed };
}

export async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}
