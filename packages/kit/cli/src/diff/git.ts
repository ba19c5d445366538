import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { CommandError } from '../command.ts';
import {
  parseSource,
  ContractError,
  parseContract,
  readContract,
  type SourceDocument,
} from '@contract-kit/core/openapi';

const CONTRACT = 'openapi.yaml';
const MAX_BUFFER = 64 * 1024 * 1024;

interface Base {
  /** Its name in messages. */
  readonly name: string;
  readonly contract: SourceDocument;
}

/** The contract in a file, or at a git tag, branch or commit. Throws a CommandError, or a ContractError. */
export async function readBase(root: string, base: string): Promise<Base> {
  const isFile = base !== '' && existsSync(path.resolve(root, base));
  const name = isFile ? base : `${base}:${CONTRACT}`;
  try {
    return {
      name,
      contract: isFile ? await readContract(path.resolve(root, base), { name }) : await committed(root, base),
    };
  } catch (error) {
    throw error instanceof ContractError ? new ContractError(error.problems, name) : error;
  }
}

/** openapi.yaml at a git tag, branch or commit, with its files. */
async function committed(root: string, base: string): Promise<SourceDocument> {
  const commit = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${base}^{commit}`];
  const id = (await git(root, ...commit).catch(() => '')).trim();
  if (id === '') throw new CommandError(`there is no file, git tag, branch or commit ${base || "''"} here`);
  const text = await git(root, 'show', `${id}:./${CONTRACT}`).catch(() => {
    throw new CommandError(`${base} has no ${CONTRACT}`);
  });
  const open = (file: string) => parseSource(shown(root, `${id}:./${file}`), `${base}:${file}`);
  return parseContract(text, open, CONTRACT);
}

/** A file as it was committed. Throws an Error if it was not. */
function shown(cwd: string, object: string): string {
  try {
    return execFileSync('git', ['show', object], {
      cwd,
      encoding: 'utf8',
      maxBuffer: MAX_BUFFER,
      stdio: 'pipe',
    });
  } catch {
    throw new Error('there is no such file');
  }
}

export async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd, maxBuffer: MAX_BUFFER });
  return stdout;
}
