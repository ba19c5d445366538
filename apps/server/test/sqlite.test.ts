import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { newFolder } from '@kit/server/testing';
import { describeOrderStore } from './suites/order-store.ts';
import { filesIn, openSqliteStore } from './support/petstore.ts';

describeOrderStore('SQLite', () => openSqliteStore(newFolder()));

test('a store of the first version keeps its keys, and what was lifted of their bans', async () => {
  const dataDir = newFolder();
  const old = new Database(filesIn(dataDir).store);
  old.exec(readFileSync('src/migrations/sqlite/0001-orders-pets-keys.sql', 'utf8'));
  old.exec(`INSERT INTO api_keys (id, digest, name, plan, per_minute, per_day, unbans, created_at)
            VALUES ('key_1', 'd1', 'one', 'free', 60, 1000, 2, '2026-11-21T12:00:00.000Z')`);
  old.pragma('user_version = 1');
  old.close();
  const store = await openSqliteStore(dataDir);
  expect(await store.keys.findActive('d1')).toMatchObject({ id: 'key_1', banEpoch: 2 });
  await store.close();
});
