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
