import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** Every file that the service keeps in a DATA_DIR, but for those that SQLite keeps beside its own. */
export function filesIn(dataDir: string) {
  const at = (name: string) => path.join(dataDir, name);
  return {
    store: at('petstore.db'),
    counters: at('limits.db'),
    /** Locked by the one process that serves the folder. */
    lock: at('serve.lock'),
    /** Says which process that is. */
    lockHolder: at('serve.json'),
    demoKey: at('demo-key'),
  };
}

/** The same, with those that SQLite keeps beside its own. */
export function ownFiles(dataDir: string): string[] {
  return Object.values(filesIn(dataDir)).flatMap((file) => [file, `${file}-wal`, `${file}-shm`]);
}

/**
 * Makes `folder` and the folders above it that are missing, for their owner alone. One level at a time: Node's recursive
 * mkdir never returns below /proc, and calls a file system that is read-only "no such file".
 */
export function makeFolder(folder: string): void {
  const parent = path.dirname(folder);
  if (!existsSync(folder) && parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST' && statSync(folder).isDirectory();
    if (!isThere) throw error;
  }
}
