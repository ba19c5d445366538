import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Where the embedded limiter keeps its counters. */
export function countersFileIn(dataDir: string): string {
  return path.join(dataDir, 'limits.db');
}

/** Every file that the service keeps in a DATA_DIR, its database under the name `databaseFile`. */
export function filesIn(dataDir: string, databaseFile: string) {
  const at = (name: string) => path.join(dataDir, name);
  return {
    store: at(databaseFile),
    counters: countersFileIn(dataDir),
    /** Locked by the one process that serves the folder. */
    lock: at('serve.lock'),
    /** Says which process that is. */
    lockHolder: at('serve.json'),
    demoKey: at('demo-key'),
  };
}

/** The same, with those that SQLite keeps beside its own. */
export function ownFiles(dataDir: string, databaseFile: string): string[] {
  return Object.values(filesIn(dataDir, databaseFile)).flatMap((file) => [
    file,
    `${file}-wal`,
    `${file}-shm`,
  ]);
}

/** Makes `dataDir` and its parents one by one: recursive `mkdirSync` of Node.js 20 never returns below /proc. */
export function makeDataDir(dataDir: string): void {
  const parent = path.dirname(dataDir);
  if (parent !== dataDir && !existsSync(parent)) makeDataDir(parent);
  try {
    mkdirSync(dataDir, { mode: 0o700 });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST' && statSync(dataDir).isDirectory();
    if (!isThere) throw error;
  }
}
