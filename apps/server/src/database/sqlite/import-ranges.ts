import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { filesIn } from '../../data-dir.ts';
import type { SqliteDatabase } from './database.ts';
import { lockFile } from './file-lock.ts';

/** How long an import or a restore waits for another, in milliseconds. */
const PATIENCE = 30_000;
/** Rows written in one transaction, some 10 milliseconds of the write lock, so that a server beside it serves on. */
export const CHUNK = 5_000;
const HIGHEST_ID = Number.MAX_SAFE_INTEGER;

/** The condition in SQL that leaves out what an import under way has written to `table` so far. */
export function visibleIn(table: string): string {
  return `(NOT EXISTS (SELECT 1 FROM imports) OR id > ${hiddenUntil(table, `${table}.id`)})`;
}

/**
 * The SQL that says, while an import is under way, `until` where the next `size` rows after an id reach, hidden ones
 * included, and the `next` id to go on after, so that nobody reads through millions that are hidden. No row otherwise.
 */
export function reachIn(table: string, size: number): string {
  return `SELECT until, max(until, ${hiddenUntil(table, 'until')}) AS next
    FROM (SELECT max(id) AS until FROM (SELECT id FROM ${table} WHERE id > ? ORDER BY id LIMIT ${size}))
    WHERE until IS NOT NULL AND EXISTS (SELECT 1 FROM imports)`;
}

function hiddenUntil(table: string, id: string): string {
  return `coalesce((SELECT last FROM imports WHERE name = '${table}' AND first <= ${id} ORDER BY first DESC LIMIT 1), 0)`;
}

/** Makes this the only import or restore of the store until what it resolves to is called, or the process ends. */
export async function lockImports(database: SqliteDatabase): Promise<() => void> {
  const file = filesIn(path.dirname(database.name)).importLock;
  const deadline = performance.now() + PATIENCE;
  for (;;) {
    const unlock = lockFile(file);
    if (unlock) return unlock;
    if (performance.now() > deadline) throw new Error('another import or restore is under way');
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

/** Copies `fields` of every row of `source`, or what SQL makes of them, into `columns` of `target`, by chunks. */
export async function copyInChunks(
  database: SqliteDatabase,
  copy: { source: string; fields: string; target: string; columns: string },
  onCopied: (rows: number) => void = () => undefined,
): Promise<void> {
  const { source, fields, target, columns } = copy;
  const next = database
    .prepare<[number], number | null>(
      `SELECT max(rowid) FROM (SELECT rowid FROM ${source} WHERE rowid > ? ORDER BY rowid LIMIT ${CHUNK})`,
    )
    .pluck();
  const insert = database.prepare(
    `INSERT INTO ${target} (${columns})
     SELECT ${fields} FROM ${source} WHERE rowid > ? AND rowid <= ? ORDER BY rowid`,
  );
  let last = Number.MIN_SAFE_INTEGER;
  await inChunks(database, () => {
    const until = next.get(last) ?? undefined;
    if (until === undefined) return false;
    onCopied(insert.run(last, until).changes);
    last = until;
    return true;
  });
}

/** Hides what will be imported into `table`: what is between its rows where there are ids of `staged`, and all above `issued`. */
export async function hideImport(
  database: SqliteDatabase,
  { table, staged, issued }: { table: string; staged: string; issued: number },
): Promise<void> {
  const idAbove = (of: string) =>
    database.prepare<[number], number | null>(`SELECT min(id) FROM ${of} WHERE id > ?`).pluck();
  const [stagedAbove, storedAbove] = [idAbove(staged), idAbove(`main.${table}`)];
  database.exec('CREATE TEMP TABLE ranges (name, first, last)');
  const add = database.prepare('INSERT INTO temp.ranges VALUES (?, ?, ?)');
  const addAll = database.transaction(() => {
    for (let stored = 0, first; (first = stagedAbove.get(stored) ?? undefined);) {
      stored = storedAbove.get(first) ?? HIGHEST_ID + 1;
      add.run(table, first, stored - 1);
    }
    add.run(table, issued + 1, HIGHEST_ID);
  });
  addAll();
  const columns = 'name, first, last';
  await copyInChunks(database, { source: 'temp.ranges', fields: columns, target: 'main.imports', columns });
}

/** Removes what imports that were killed have left. */
export async function removeUnfinished(database: SqliteDatabase): Promise<void> {
  const names = database.prepare<[], string>('SELECT DISTINCT name FROM imports').pluck().all();
  for (const name of names) {
    const left = database.prepare<[string], { first: number; last: number }>(
      `SELECT first, last FROM imports WHERE name = ? LIMIT ${CHUNK}`,
    );
    const remove = database.prepare(
      `DELETE FROM ${name} WHERE id IN (SELECT id FROM ${name} WHERE id BETWEEN ? AND ? LIMIT ?)`,
    );
    const forget = database.prepare('DELETE FROM imports WHERE name = ? AND first = ?');
    await inChunks(database, () => {
      let room = CHUNK;
      for (const { first, last } of left.all(name)) {
        room -= remove.run(first, last, room).changes;
        if (room === 0) return true;
        forget.run(name, first);
      }
      return room < CHUNK;
    });
  }
}
