import { openSqliteStore } from '../src/store/open-sqlite-store.ts';
import { newFolder, removeFolders } from './support/folder.ts';
import { describeKeyStore } from './suites/key-store.ts';

afterAll(removeFolders);

describeKeyStore('SQLite', () => Promise.resolve(openSqliteStore(newFolder())));
