import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CommandError } from '../command.ts';
import { clientManifestFile } from '../workspace.ts';
import type { Release } from './gate.ts';
import { compareVersions, parseVersion } from './version.ts';

/** The tag of the last release that HEAD contains: the highest `v1.2.3`. Undefined where nothing is released. */
export async function lastRelease(root: string): Promise<string | undefined> {
  if (!(await hasCommit(root))) return undefined;
  const tags = (await git(root, ['tag', '--merged', 'HEAD', '--list', 'v*'])).split('\n');
  const releases = tags.flatMap((tag) => {
    const version = parseVersion(tag.slice(1));
    return version ? [{ tag, version }] : [];
  });
  return releases.sort((a, b) => compareVersions(b.version, a.version))[0]?.tag;
}

/** Whether the history is cut short, so that a release may lie beyond it. */
export async function isShallow(root: string): Promise<boolean> {
  return (
    (await hasCommit(root)) && (await git(root, ['rev-parse', '--is-shallow-repository'])).trim() === 'true'
  );
}

/** What was released at `ref`. */
export async function releaseAt(root: string, ref: string): Promise<Release> {
  const commit = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const id = (await git(root, commit).catch(() => '')).trim();
  if (id === '') throw new CommandError(`there is no git commit, tag or branch ${ref || "''"} here`);
  const contract = await git(root, ['show', `${id}:./openapi.yaml`]).catch(() => {
    throw new CommandError(`${ref} has no openapi.yaml`);
  });
  const client = await git(root, ['show', `${id}:./${clientManifestFile}`]).catch(() => undefined);
  return { contract, client };
}

async function hasCommit(root: string): Promise<boolean> {
  return git(root, ['rev-parse', '--verify', '--quiet', 'HEAD']).then(
    () => true,
    (error: Error) => {
      // A repository of another owner is not one without releases.
      if (error.message.includes('safe.directory')) throw new CommandError(error.message);
      return false;
    },
  );
}

async function git(cwd: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}
