import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteStore } from '../src/store/open-sqlite-store.ts';
import { describeOrderStore } from './suites/order-store.ts';

describeOrderStore('SQLite', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-'));
  const store = openSqliteStore(folder);
  return Promise.resolve({
    orders: store.orders,
    async close() {
      await store.close();
      await rm(folder, { recursive: true });
    },
  });
});
