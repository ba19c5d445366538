import path from 'node:path';
import Database from 'better-sqlite3';
import { commandsOf } from '../support/command.ts';
import { toolsOf, type TestServiceOptions } from '../support/service.ts';
import { sharedWithKey } from '../support/shared.ts';
import type { Loan, StoredLoan } from './loan-store.ts';
import { library } from './library.ts';

const tools = toolsOf(library);
export const { keyFormat, generateApiKey, filesIn, createKey, newKey } = tools;
export const { openSqliteStore, openPostgresStore, withStore, breakTable, expectError } = tools;

/** The library's command, from its sources. */
export const command = commandsOf('library', ['--import', 'tsx', path.join(import.meta.dirname, 'main.ts')]);

export type TestService = Awaited<ReturnType<typeof startTestService>>;

/** Loans with the ids from 1 to `count`. */
export const numbered = (count: number): Loan[] =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1 }));

/** Adds so many loans that their list is streamed, and does not fit into the buffers of a connection. */
export function addManyLoans(dataDir: string): void {
  const database = new Database(filesIn(dataDir).store);
  // An import would take seconds.
  database.exec(`
    INSERT INTO loans (book_id, days, due_date, returned)
    WITH RECURSIVE books (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM books WHERE id < 120000)
    SELECT id, 1, '2026-11-21T12:00:00.000Z', 0 FROM books`);
  database.close();
}

/** The library as a test service, with what tests do with its loans. */
export async function startTestService(options?: TestServiceOptions) {
  const service = await tools.startTestService(options);
  const { loans } = service.store.features;
  async function cancelled(): Promise<number[]> {
    const all: StoredLoan[] = [];
    for await (const batch of loans.batches()) all.push(...batch);
    return all.filter(({ cancelledBy }) => cancelledBy !== undefined).map(({ id }) => id);
  }
  return {
    ...service,
    async addLoans(added: readonly StoredLoan[]) {
      const underway = await loans.beginImport();
      await underway.stage(added.map((loan, index) => ({ ...loan, line: index + 1 })));
      if ((await underway.commit()).length > 0) throw new Error('these loans are there already');
    },
    list: (key = '') => service.request('/v1/loans', { key }),
    cancel: (id: number | bigint | string, key = '') =>
      service.request(`/v1/loans/${id}`, { method: 'DELETE', key }),
    /** The ids of the loans that are cancelled. */
    cancelled,
  };
}

/** See `sharedWithKey`. */
export const sharedService = (options?: TestServiceOptions) => sharedWithKey(() => startTestService(options));
