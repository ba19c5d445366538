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
    /** Locked by the one command that imports or restores. */
    importLock: at('import.lock'),
    demoKey: at('demo-key'),
  };
}

/** The same, with those that SQLite keeps beside its own. */
export function ownFiles(dataDir: string): string[] {
  return Object.values(filesIn(dataDir)).flatMap((file) => [file, `${file}-wal`, `${file}-shm`]);
}
