import { openSqliteStore } from '../src/store/open-sqlite-store.ts';
import { newFolder } from './support/folder.ts';
import { describeOrderStore } from './suites/order-store.ts';

describeOrderStore('SQLite', () => Promise.resolve(openSqliteStore(newFolder())));
