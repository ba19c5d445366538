import Database from 'better-sqlite3';
import { filesIn } from '../src/data-dir.ts';
import { digestOf, generateApiKey, generateKeyId } from '../src/keys/api-key.ts';
import { createKeyRing } from '../src/keys/key-ring.ts';
import { openSqliteStore } from '../src/store/open-sqlite-store.ts';
import { newFolder } from './support/folder.ts';

const COUNT = 2_500;

test('the last uses of many keys are noted a thousand at a time, and none is lost when that fails once', async () => {
  const dataDir = newFolder();
  const store = openSqliteStore(dataDir);
  const tokens = Array.from({ length: COUNT }, () => generateApiKey());
  insertKeys(filesIn(dataDir).store, tokens);

  const statements: number[] = [];
  const failures: unknown[] = [];
  const keyRing = createKeyRing({
    keys: {
      ...store.keys,
      async touch(ids, at) {
        statements.push(ids.length);
        if (statements.length === 2) throw new Error('the database is gone for a moment');
        await store.keys.touch(ids, at);
      },
    },
    now: Date.now,
    onError: (error) => failures.push(error),
  });
  for (const token of tokens) expect(await keyRing.find(token)).toBeDefined();
  const unused = async () => (await store.keys.list()).filter(({ lastUsedAt }) => !lastUsedAt).length;

  await keyRing.close();
  expect([failures.length, await unused()]).toEqual([1, COUNT - 1_000]);
  await keyRing.close();
  expect([failures.length, await unused()]).toEqual([1, 0]);
  expect(Math.max(...statements)).toBe(1_000);
  await store.close();
});

/** In one transaction, because the disk is waited for after each. */
function insertKeys(file: string, tokens: readonly string[]): void {
  const database = new Database(file);
  const insert = database.prepare(
    `INSERT INTO api_keys (id, digest, name, plan, per_minute, per_day, created_at)
     VALUES (?, ?, 'test', 'free', 60, 1000, '2026-11-21T12:00:00.000Z')`,
  );
  database.transaction(() => {
    for (const token of tokens) insert.run(generateKeyId(), digestOf(token));
  })();
  database.close();
}
