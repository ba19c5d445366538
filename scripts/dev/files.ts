import { lstatSync, readdirSync, watch, type FSWatcher } from 'node:fs';
import path from 'node:path';

const SKIPPED = /^(node_modules|dist|bench|\..*)$/;
/** Editors write a file in several steps, and git many files. */
const QUIET_MS = 50;

/** Calls `onChange` whenever files in `folder`, or below it, have changed and are at rest again. */
export function watchFolder(folder: string, onChange: () => void): void {
  let watchers: FSWatcher[] = [];
  let rest: NodeJS.Timeout | undefined;
  const notice = () => {
    clearTimeout(rest);
    rest = setTimeout(follow, QUIET_MS);
  };
  // A folder that was replaced has to be watched anew, which nothing tells.
  const follow = () => {
    for (const each of watchers) each.close();
    watchers = [];
    try {
      for (const { file, isFolder } of entriesOf(folder)) {
        if (isFolder) watchers.push(watch(file, notice).on('error', notice));
      }
    } catch {
      // A folder that has gone meanwhile.
      return notice();
    }
    onChange();
  };
  follow();
}

/** Differs from before whenever one of `places`, or something below it, does. */
export function stateOf(...places: string[]): string {
  return places
    .flatMap(entriesOf)
    .map(({ file, changed, isFolder }) => (isFolder ? file : `${file} ${changed}`))
    .join('\n');
}

interface Entry {
  readonly file: string;
  readonly isFolder: boolean;
  /** Epoch milliseconds; not when it was last written, which moving another file there may take back. */
  readonly changed: number;
}

/** Nothing where there is nothing, which may be so from one moment to the next. */
function entriesOf(file: string): Entry[] {
  try {
    const stats = lstatSync(file);
    const entry = { file, isFolder: stats.isDirectory(), changed: stats.ctimeMs };
    const names = entry.isFolder ? readdirSync(file) : [];
    const below = names.filter((name) => !SKIPPED.test(name));
    return [entry, ...below.flatMap((name) => entriesOf(path.join(file, name)))];
  } catch {
    return [];
  }
}
