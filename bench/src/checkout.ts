import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { petstoreIn, root } from './data.ts';
import { BenchError, UsageError } from './errors.ts';
import type { Run } from './run.ts';

/** The service to compare with: a folder with a checkout, or a commit of this repository. */
export type Other = { readonly folder: string } | { readonly commit: string };

/** Throws a UsageError if `name` is neither. */
export function otherOf(name: string): Other {
  if (existsSync(petstoreIn(name))) return { folder: path.resolve(name) };
  if (existsSync(name))
    throw new UsageError(`--against needs a checkout of this repository: ${petstoreIn(name)} is missing.`);
  const commit = commitOf(name);
  if (commit !== undefined) return { commit };
  throw new UsageError(
    `--against needs a folder or a commit: ${name} is neither. In a shallow clone, run \`git fetch --unshallow\` first.`,
  );
}

function commitOf(name: string): string | undefined {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** The folder of a built checkout. That of a commit is temporary: it is removed when this process ends. */
export function checkOut(other: Other, { folder, say }: Run): string {
  if ('folder' in other) return other.folder;
  const name = other.commit.slice(0, 8);
  const checkout = path.join(folder, name);
  say(`${name}: checking it out into ${path.relative(root, checkout)}`);
  runIn(root, 'git', 'worktree', 'add', '--quiet', '--detach', checkout, other.commit);
  process.on('exit', () => {
    execFileSync('git', ['worktree', 'remove', '--force', checkout], { cwd: root });
  });
  say(`${name}: installing its packages, for a minute or two`);
  runIn(checkout, 'npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error');
  say(`${name}: building its service`);
  const filter = ['--filter=@petstore/server', '--output-logs=errors-only', '--log-prefix=none'];
  runIn(checkout, 'npx', 'turbo', 'run', 'build', ...filter);
  return checkout;
}

/** Runs a command, and shows its output. Throws a BenchError if it fails. */
export function runIn(folder: string, command: string, ...args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status === 0) return;
  const reason = error?.message ?? 'see its output above';
  throw new BenchError(`bench: \`${command} ${args.join(' ')}\` failed in ${folder}: ${reason}`);
}
