import { cp, lstat, mkdir, readdir, readFile, rename, rm, rmdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

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
  const folder = path.join(root, 'node_modules/.cache/adopt');
  const remove = () => rm(folder, { recursive: true, force: true });
  // Left over from a killed run.
  await remove();
  for (const name of (await readdir(root)).filter((name) => !isSkipped(name)))
    await cp(path.join(root, name), path.join(folder, name), {
      recursive: true,
      filter: (from) => !isSkipped(from),
    });
  const linkModules = () => symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return { folder, linkModules, remove };
}

export async function writeAll(folder: string, files: Readonly<Record<string, string | Buffer>>) {
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

/** Names in node_modules, of what is removed and of links with their targets. */
export interface Links {
  readonly gone: readonly string[];
  readonly made: Readonly<Record<string, string>>;
}

/** Replaces the files of `root` by those of `folder`, whatever signal arrives. A failure restores the old files. */
export async function swapIn(folder: string, root: string, links: Links = { gone: [], made: {} }) {
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
      const isBoth = present.has(name) && wanted.has(name);
      if (isBoth && (await readFile(old)).equals(await readFile(next))) continue;
      if (present.has(name)) await move(old, path.join(kept, name));
      if (wanted.has(name)) await move(next, old);
    }
    const modules = path.join(root, 'node_modules');
    for (const name of links.gone) {
      const isThere = await lstat(path.join(modules, name)).catch(() => undefined);
      if (isThere) await move(path.join(modules, name), path.join(kept, 'node_modules', name));
    }
    for (const [name, target] of Object.entries(links.made)) {
      const link = path.join(modules, name);
      await mkdir(path.dirname(link), { recursive: true });
      await symlink(target, link);
      undo.push(() => rm(link));
    }
  } catch (error) {
    for (const item of undo.reverse()) await item();
    throw error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, ignore);
  }
  // The folders that are empty without their files.
  for (const name of present)
    for (let place = path.dirname(name); place !== '.'; place = path.dirname(place))
      await rmdir(path.join(root, place)).catch(() => undefined);
}
