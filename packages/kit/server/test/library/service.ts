import path from 'node:path';
import { openSqlite } from '../../src/database/sqlite/driver.ts';
import { commandsOf, sharedWithKey } from '@contract-kit/test-support/testing';
import { importItems, itemsIn } from '@contract-kit/test-support/testing';
import type { TestServiceOptions } from '../../src/testing/service.ts';
import { createTestTools } from '../support/tools.ts';
import type { LoanStore, StoredLoan } from './loan-store.ts';
import { library } from './library.ts';

const tools = createTestTools(library);
export const { keyFormat, generateApiKey, filesIn, createKey, newKey } = tools;
export const { openSqliteStore, openPostgresStore, withStore, breakTable, expectError } = tools;
export type Store = Awaited<ReturnType<typeof openSqliteStore>>;

/** The library's command, bundled by bundle.ts. */
export const bin = path.join(import.meta.dirname, 'dist/library.js');
export const command = commandsOf('library', [bin]);

export type TestService = Awaited<ReturnType<typeof startTestService>>;

/** Loans with the ids from 1 to `count`. */
export const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 }));

/** Adds enough loans to stream their list, and to overflow the buffers of a connection. */
export function addManyLoans(dataDir: string): void {
  const database = openSqlite(filesIn(dataDir).store);
  // An import would take seconds.
  database.exec(`
    INSERT INTO loans (book_id, days, due_date, returned)
    WITH RECURSIVE books (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM books WHERE id < 120000)
    SELECT id, 1, '2026-11-21T12:00:00.000Z', 0 FROM books`);
  database.close();
}

/** Every loan in the store, by id. */
export const storedLoans = (loans: LoanStore): Promise<StoredLoan[]> => itemsIn(loans.stored.items());

/** The ids of cancelled loans. */
export const cancelledLoans = async (loans: LoanStore): Promise<number[]> =>
  (await storedLoans(loans)).filter(({ cancelledBy }) => cancelledBy !== undefined).map(({ id = 0 }) => id);

/** The library as a test service, with shortcuts for loans. */
export async function startTestService(options?: TestServiceOptions) {
  const service = await tools.startTestService(options);
  const { loans } = service.store.features;
  return {
    ...service,
    addLoans: (added: readonly StoredLoan[]) => importItems(loans, added),
    list: (key = '') => service.request('/v1/loans', { key }),
    cancel: (id: number | bigint | string, key = '') =>
      service.request(`/v1/loans/${id}`, { method: 'DELETE', key }),
    cancelled: () => cancelledLoans(loans),
  };
}

/** See `sharedWithKey`. */
export const sharedService = (options?: TestServiceOptions) => sharedWithKey(() => startTestService(options));
