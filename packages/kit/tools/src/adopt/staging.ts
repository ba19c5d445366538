import {
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import type { Links } from './link-packages.ts';

/* A copy of the workspace, in which everything is prepared before anything changes. */

/** Folders that are not sources. */
const SKIPPED = ['node_modules', '.git', 'dist', '.turbo', '.data', 'coverage'];
const isSkipped = (file: string) => SKIPPED.includes(path.basename(file));

export interface Staging {
  readonly folder: string;
  /** Lets its programs find the installed packages. */
  readonly linkModules: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** Copies the sources of `root` to where they can be renamed back from: on the same disk, and ignored by git. */
export async function stage(root: string): Promise<Staging> {
  const cache = path.join(root, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  // Left over from killed runs.
  for (const name of await readdir(cache))
    if (name.startsWith('adopt-')) await rm(path.join(cache, name), { recursive: true, force: true });
  const folder = await mkdtemp(path.join(cache, 'adopt-'));
  for (const name of (await readdir(root)).filter((name) => !isSkipped(name)))
    await cp(path.join(root, name), path.join(folder, name), {
      recursive: true,
      filter: (from) => !isSkipped(from),
    });
  return {
    folder,
    linkModules: () =>
      symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

export async function writeAll(
  folder: string,
  files: Readonly<Record<string, string | Buffer>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = entries
    .filter(({ name }) => !isSkipped(name))
    .map(async (entry) => {
      const file = path.join(folder, entry.name);
      return entry.isDirectory() ? filesIn(file) : [file];
    });
  return (await Promise.all(found)).flat();
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const ignore = () => {};
const NO_LINKS: Links = { gone: [], made: {} };

/** Replaces the files of `root` by those of `folder`, whatever signal arrives. A failure restores the old files. */
export async function swapIn(folder: string, root: string, links = NO_LINKS): Promise<void> {
  const names = async (of: string) => new Set((await filesIn(of)).map((file) => path.relative(of, file)));
  const [present, wanted] = [await names(root), await names(folder)];
  const kept = path.join(folder, 'node_modules.before');
  const undo: (() => Promise<unknown>)[] = [];
  const move = async (from: string, to: string) => {
    await mkdir(path.dirname(to), { recursive: true });
    await rename(from, to);
    undo.push(() => rename(to, from));
  };
  for (const signal of SIGNALS) process.on(signal, ignore);
  try {
    for (const name of new Set([...present, ...wanted])) {
      const [old, next] = [path.join(root, name), path.join(folder, name)];
      if (present.has(name) && wanted.has(name) && (await isSame(old, next))) continue;
      if (present.has(name)) await move(old, path.join(kept, name));
      if (wanted.has(name)) await move(next, old);
    }
    for (const name of links.gone) {
      const isThere = await lstat(path.join(root, name)).catch(() => undefined);
      if (isThere) await move(path.join(root, name), path.join(kept, name));
    }
    for (const [name, target] of Object.entries(links.made)) {
      const link = path.join(root, name);
      await mkdir(path.dirname(link), { recursive: true });
      await symlink(target, link, 'junction');
      undo.push(() => rm(link));
    }
  } catch (error) {
    for (const item of undo.reverse()) await item();
    throw error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, ignore);
  }
  await removeEmpty(root);
}

async function isSame(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((file) => readFile(file)));
  const modes = await Promise.all([one, other].map(async (file) => (await stat(file)).mode));
  return a?.equals(b ?? Buffer.alloc(0)) === true && modes[0] === modes[1];
}

/** Removes empty folders below `folder`. */
async function removeEmpty(folder: string): Promise<boolean> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !isSkipped(name));
  const all = await readdir(folder);
  let left = all.length;
  for (const entry of entries.filter((entry) => entry.isDirectory())) {
    const inner = path.join(folder, entry.name);
    if (await removeEmpty(inner)) left -= 1;
  }
  if (left > 0) return false;
  await rm(folder, { recursive: true });
  return true;
}
