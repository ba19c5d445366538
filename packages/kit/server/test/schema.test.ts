import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeWith } from '@contract-kit/test-support';
import { openDatabase } from '../src/database/sqlite/database.ts';
import type { Database } from '../src/database/sql.ts';
import type { Features, ServiceDefinition } from '../src/feature.ts';
import { openPostgresStore } from '../src/store/open-postgres-store.ts';
import { openSqliteStore } from '../src/store/open-sqlite-store.ts';
import { library } from './library/library.ts';
import { newFolder, shared, startPostgres } from '@contract-kit/test-support/testing';
import { serviceWith } from './support/migrations.ts';

interface Opened {
  readonly features: Readonly<Record<string, unknown>>;
  close(): Promise<void>;
}

const SHELF = 'CREATE TABLE shelf (id int PRIMARY KEY)';
const BOOK = 'CREATE TABLE book (id int PRIMARY KEY, shelf int REFERENCES shelf (id))';

/** Tests what migrations promise, on either engine. `place` makes an empty database. */
function describeMigrations(
  engine: string,
  place: () => Promise<{
    readonly open: (service: ServiceDefinition<Features>) => Promise<Opened>;
    readonly run: (sql: string) => unknown;
  }>,
): void {
  describe(`migrations in ${engine}`, () => {
    /** Opens and closes the database. Resolves to the error, or undefined. */
    async function failure(open: Promise<Opened>): Promise<string | undefined> {
      try {
        await (await open).close();
        return undefined;
      } catch (error) {
        const { message } = error as Error;
        expect(message).not.toContain('\n');
        return message;
      }
    }

    test('run in the order of the features, so a table may refer to one of an earlier feature', async () => {
      const { open } = await place();
      expect(await failure(open(serviceWith({ zoo: [SHELF], aviary: [BOOK] })))).toBeUndefined();
    });

    test('an older program works if no migration lies between, and otherwise says so', async () => {
      const { open } = await place();
      const first = serviceWith({ shelves: [SHELF] });
      const next = serviceWith({ shelves: [SHELF], books: [] });
      const later = serviceWith({ shelves: [SHELF, 'ALTER TABLE shelf ADD COLUMN label text'] });
      for (const service of [first, next, first, later, later])
        expect(await failure(open(service))).toBeUndefined();
      const refusal = 'is newer than this program (schema 2 of the feature shelves, known up to 1)';
      expect(await failure(open(first))).toContain(refusal);
      expect(await failure(open(later))).toBeUndefined();
    });

    test('an older program that lacks a feature with tables says so, until a migration drops them', async () => {
      const { open } = await place();
      const without = serviceWith({ shelves: [SHELF] });
      await failure(open(serviceWith({ shelves: [SHELF], books: [BOOK] })));
      expect(await failure(open(without))).toContain('it has tables of the feature books');
      await failure(open(serviceWith({ shelves: [SHELF], books: [BOOK, 'DROP TABLE book'] })));
      expect(await failure(open(without))).toBeUndefined();
    });

    test('old and new instances use one database side by side', async () => {
      const { open } = await place();
      const older = await open(serviceWith({ shelves: [SHELF] }));
      const newer = await open(
        serviceWith({ shelves: [SHELF, 'ALTER TABLE shelf ADD COLUMN label text'], books: [BOOK] }),
      );
      const [before, after] = [older.features['shelves'], newer.features['shelves']] as Database[];
      await before?.query('INSERT INTO shelf (id) VALUES (1)');
      await after?.query(`INSERT INTO shelf (id, label) VALUES (2, 'New')`);
      for (const database of [before, after])
        expect(await database?.query('SELECT id FROM shelf ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }]);
      await Promise.all([older.close(), newer.close()]);
    });

    test('a database of another service, or with a missing table, is refused and unchanged', async () => {
      const { open, run } = await place();
      await failure(open(serviceWith({ shelves: [SHELF] }, 'shop')));
      expect(await failure(open(serviceWith({ shelves: [SHELF] })))).toContain(
        'belongs to the service shop, not to library',
      );
      await run('DROP TABLE shelf');
      expect(await failure(open(serviceWith({ shelves: [SHELF] }, 'shop')))).toContain(
        'is incomplete: the table shelf is missing. Restore a backup',
      );
    });

    const [own, other] = engine === 'SQLite' ? ['sqlite', 'postgres'] : ['postgres', 'sqlite'];

    /** The error of a new service after `change` in its folder, by paths in that folder. */
    async function refusalAfter(change: (at: (file: string) => string) => void): Promise<string | undefined> {
      const { open } = await place();
      const service = serviceWith({ shelves: [SHELF] });
      const folder = service.features['shelves']?.migrations ?? '';
      change((file) => path.join(folder, file));
      // From the folder of the feature on.
      return (await failure(open(service)))?.replaceAll(`${folder.split('/').slice(-2).join('/')}/`, '');
    }

    test.each([
      'notes.sql',
      '2-notes.sql',
      '0002_notes.sql',
      '00002-notes.sql',
      '0000-notes.sql',
      '0002-notes.SQL',
    ])('refuse a name without four digits from 0001 and a hyphen: %s', async (name) => {
      for (const engineFolder of [own, other])
        expect(await refusalAfter((at) => writeFileSync(at(`${engineFolder}/${name}`), BOOK))).toBe(
          `the migration ${engineFolder}/${name} has a wrong name: rename it to four digits from 0001, a hyphen and a name, such as 0001-notes.sql`,
        );
    });

    test('ignore files that are no SQL, and those of editors and systems', async () => {
      for (const name of ['README.md', '0002-notes.sql.orig', '.#0001-made.sql', '._0001-made.sql'])
        expect(await refusalAfter((at) => writeFileSync(at(`${own}/${name}`), 'no SQL'))).toBeUndefined();
    });

    test('refuse two files with one number, as after a merge of two branches', async () => {
      expect(await refusalAfter((at) => writeFileSync(at(`${own}/0001-notes.sql`), BOOK))).toBe(
        `the migrations ${own}/0001-notes.sql and 0001-made.sql have the same number: give the newer one the next number, for both databases`,
      );
    });

    test('refuse a migration that only one of the databases has', async () => {
      for (const [having, lacking] of [
        [own, other],
        [other, own],
      ])
        expect(await refusalAfter((at) => writeFileSync(at(`${having}/0002-notes.sql`), BOOK))).toBe(
          `the migration ${lacking}/0002-notes.sql is missing, the counterpart of ${having}/0002-notes.sql: add it. If nothing changes there, it holds only a comment`,
        );
    });

    test('may hold only a comment, for a change of the other database alone', async () => {
      const { open } = await place();
      expect(
        await failure(open(serviceWith({ shelves: [SHELF, '-- Nothing changes here.'] }))),
      ).toBeUndefined();
    });

    test('may be for one database only, and are refused on the other', async () => {
      expect(await refusalAfter((at) => rmSync(at(other), { recursive: true }))).toBeUndefined();
      const switching =
        engine === 'SQLite' ? 'set DATABASE_URL to use PostgreSQL' : 'unset DATABASE_URL to use SQLite';
      expect(await refusalAfter((at) => rmSync(at(own), { recursive: true }))).toBe(
        `the folder ${own} is missing: add the migrations for ${engine}, or ${switching}`,
      );
    });

    test('refuse a folder that is not there', async () => {
      expect(await refusalAfter((at) => rmSync(at(''), { recursive: true }))).toBe(
        `the folder ${own} is missing: add the migrations for ${engine}`,
      );
    });
  });
}

describeMigrations('SQLite', () => {
  const dataDir = newFolder();
  return Promise.resolve({
    open: (service) => openSqliteStore(service, dataDir),
    run(sql) {
      const database = openDatabase(path.join(dataDir, 'store.db'), { synchronous: 'FULL' });
      database.exec(sql);
      database.close();
    },
  });
});

test.each([
  ['of another program', 'CREATE TABLE customers (id int)', 'is another kind of database'],
  [
    'made before the first release',
    'CREATE TABLE api_keys (id text); PRAGMA user_version = 7',
    'was made before the first release, and cannot be used: move it away',
  ],
])('a file %s is refused in one line, and unchanged', async (_, sql, reason) => {
  const dataDir = newFolder();
  const file = path.join(dataDir, 'store.db');
  const database = openDatabase(file, { synchronous: 'FULL' });
  database.exec(sql);
  database.close();
  const before = readFileSync(file);
  await expect(openSqliteStore(library, dataDir)).rejects.toThrow(
    new RegExp(`^the database ${file} ${reason}[^\n]*$`),
  );
  expect(readFileSync(file).equals(before)).toBe(true);
});

describeWith(['PostgreSQL'], 'with PostgreSQL', () => {
  const postgres = shared(startPostgres);
  describeMigrations('PostgreSQL', async () => {
    const url = await postgres.createDatabase();
    return {
      open: (service) => openPostgresStore(service, { url }),
      run: (sql) => postgres.run(sql, url),
    };
  });

  test('a database made before the first release is refused in one line', async () => {
    const url = await postgres.createDatabase();
    await postgres.run('CREATE TABLE schema_version (version int)', url);
    await expect(openPostgresStore(library, { url })).rejects.toThrow(
      /^the database at DATABASE_URL was made before the first release, and cannot be used: move it away$/,
    );
  });
});
