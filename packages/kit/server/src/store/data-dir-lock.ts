import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { filesIn, giveToOwner, makeDataDir, kitFiles } from '../data-dir.ts';
import { asOperatorError, OperatorError } from '../operator-error.ts';
import { lockFile } from '../database/sqlite/file-lock.ts';

const SERVE_INSTEAD =
  'stop it, or use another DATA_DIR. To run several on the same data, set DATABASE_URL and REDIS_URL.';

/** Locks `dataDir` until released or the process ends. Throws an OperatorError with its holder and `advice`. */
export function lockDataDir(dataDir: string, databaseFile: string, advice = SERVE_INSTEAD): () => void {
  const files = filesIn(dataDir, databaseFile);
  let unlock: (() => void) | undefined;
  try {
    makeDataDir(dataDir);
    accessSync(dataDir, constants.W_OK);
    // SQLite opens read-only files, and then every write would fail.
    for (const file of kitFiles(dataDir, databaseFile).filter((file) => existsSync(file)))
      accessSync(file, constants.W_OK);
    unlock = lockFile(files.lock);
    if (!unlock)
      throw new OperatorError(
        `DATA_DIR ${dataDir} is already served by ${holderIn(files.lockHolder)}: ${advice}`,
      );
    giveToOwner(files.lock, dataDir);
    // Of a killed restore.
    rmSync(files.restored, { recursive: true, force: true });
    // A process id means little between containers: each has a process 1.
    const holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
    writeFileSync(files.lockHolder, JSON.stringify(holder));
    giveToOwner(files.lockHolder, dataDir);
  } catch (error) {
    unlock?.();
    throw asOperatorError(`cannot write to DATA_DIR ${dataDir}`, error, 'mend that, or use another DATA_DIR');
  }
  return () => {
    rmSync(files.lockHolder, { force: true });
    unlock();
  };
}

function holderIn(note: string): string {
  try {
    const holder = JSON.parse(readFileSync(note, 'utf8')) as Record<string, unknown>;
    const { pid, host = 'this machine', since } = holder;
    return `process ${String(pid)} of ${String(host)} (since ${String(since)})`;
  } catch {
    return 'another process';
  }
}
