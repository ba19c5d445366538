import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { filesIn } from '../src/data-dir.ts';
import { openSqliteStore } from '../src/store/open-sqlite-store.ts';
import { newFolder } from './support/folder.ts';
import { describeKeyStore } from './suites/key-store.ts';
import { describeOrderStore } from './suites/order-store.ts';

const open = () => Promise.resolve(openSqliteStore(newFolder()));

describeOrderStore('SQLite', open);
describeKeyStore('SQLite', open);

test('a store of the first version keeps its keys, and what was lifted of their bans', async () => {
  const dataDir = newFolder();
  const old = new Database(filesIn(dataDir).store);
  old.exec(readFileSync('src/database/sqlite/migrations/0001-orders-pets-keys.sql', 'utf8'));
  old.exec(`INSERT INTO api_keys (id, digest, name, plan, per_minute, per_day, unbans, created_at)
            VALUES ('key_1', 'd1', 'one', 'free', 60, 1000, 2, '2026-11-21T12:00:00.000Z')`);
  old.pragma('user_version = 1');
  old.close();
  const store = openSqliteStore(dataDir);
  expect(await store.keys.findActive('d1')).toMatchObject({ id: 'key_1', banGeneration: 2 });
  await store.close();
});
