import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { filesIn } from '../../data-dir.ts';
import { sqliteCodeOf, type SqliteDatabase } from './database.ts';

/** How long an import or a restore waits for another, in milliseconds. */
const PATIENCE = 30_000;
/** Rows written in one transaction, some 10 milliseconds of the write lock, so that a server beside it serves on. */
export const CHUNK = 5_000;

/** The condition in SQL that leaves out what an import under way has written to `table` so far. */
export function visibleIn(table: string): string {
  return `id <= coalesce((SELECT ceiling FROM imports WHERE name = '${table}'), 9007199254740991)`;
}

/** Makes this the only import or restore of the store until what it resolves to is called, or the process ends. */
export async function lockImports(database: SqliteDatabase): Promise<() => void> {
  const file = filesIn(path.dirname(database.name)).importLock;
  const deadline = performance.now() + PATIENCE;
  for (;;) {
    const lock = new Database(file, { timeout: 0 });
    try {
      lock.exec('BEGIN EXCLUSIVE');
      return () => void lock.close();
    } catch (error) {
      lock.close();
      if (!sqliteCodeOf(error)?.startsWith('SQLITE_BUSY') || performance.now() > deadline) throw error;
    }
    await sleep(20);
  }
}

/**
 * Calls `write` in a transaction each until it says that nothing is left, and lets others have the write lock for as
 * long in between.
 */
export async function inChunks(database: SqliteDatabase, write: () => boolean): Promise<void> {
  const chunk = database.transaction(write);
  for (;;) {
    const started = performance.now();
    if (!chunk.immediate()) return;
    await sleep(performance.now() - started);
  }
}

/** Removes what imports that were killed have left. */
export async function removeUnfinished(database: SqliteDatabase): Promise<void> {
  const left = database.prepare<[], { name: string; ceiling: number }>('SELECT name, ceiling FROM imports');
  for (const { name, ceiling } of left.all()) {
    const remove = database.prepare(
      `DELETE FROM ${name} WHERE id IN (SELECT id FROM ${name} WHERE id > ? ORDER BY id DESC LIMIT ${CHUNK})`,
    );
    await inChunks(database, () => remove.run(ceiling).changes > 0);
    database.prepare('DELETE FROM imports WHERE name = ?').run(name);
  }
}
