import { existsSync, lchownSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { asOperatorError } from './operator-error.ts';

export function countersFileIn(dataDir: string): string {
  return path.join(dataDir, 'limits.db');
}

/** The files of the service in a DATA_DIR. The database has the name `databaseFile`. */
export function filesIn(dataDir: string, databaseFile: string) {
  const at = (name: string) => path.join(dataDir, name);
  return {
    store: at(databaseFile),
    counters: countersFileIn(dataDir),
    /** Locked by the process that serves the folder. */
    lock: at('serve.lock'),
    /** Names that process. */
    lockHolder: at('serve.json'),
    demoKey: at('demo-key'),
    /** The folder of a restore until it is complete. */
    restored: at('restore.partial'),
  };
}

/** Including the additional files of SQLite. */
export function kitFiles(dataDir: string, databaseFile: string): string[] {
  return Object.values(filesIn(dataDir, databaseFile)).flatMap((file) => [
    file,
    `${file}-wal`,
    `${file}-shm`,
  ]);
}

/** Gives a file that root made to the owner of its data folder, as whom the service runs. */
export function giveToOwner(file: string, dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dataDir);
  lchownSync(file, uid, gid);
}

/** Makes `dataDir` and its parents one by one: recursive `mkdirSync` of Node.js 20 never returns below /proc. Throws an OperatorError. */
export function makeDataDir(dataDir: string): void {
  const parent = path.dirname(dataDir);
  if (parent !== dataDir && !existsSync(parent)) makeDataDir(parent);
  try {
    mkdirSync(dataDir, { mode: 0o700 });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST' && statSync(dataDir).isDirectory();
    if (!isThere)
      throw asOperatorError(`cannot create the folder ${dataDir}`, error, 'set DATA_DIR to another one');
  }
}
