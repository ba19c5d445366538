import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  addImportCommand,
  defineService,
  errorResponse,
  recordCheck,
  type Feature,
} from '../../src/index.ts';
import type { AnyHandler } from '../../src/pipeline/dispatch.ts';
import { contract } from './contract.ts';
import { createLoanStore, type LoanStore, type StoredLoan } from './loan-store.ts';
import { idsIn } from '@contract-kit/test-support/contracts';

const DAY = 24 * 60 * 60_000;

const loadParse = () =>
  Promise.resolve(recordCheck<StoredLoan>(contract.document, 'Loan', { cancelledBy: { type: 'string' } }));

/** How often new loans are looked for, in milliseconds. */
const INTERVAL = 20;

/** Every loan after the one with the id `last`, also those that are made meanwhile. */
async function* watched(store: LoanStore, last: number, signal: AbortSignal) {
  for (let loan = last; !signal.aborted;) {
    for (const data of await store.after(loan)) {
      loan = data.id ?? loan;
      yield { id: String(loan), data };
    }
    await sleep(INTERVAL, undefined, { signal });
  }
}

const loans: Feature<LoanStore, Record<string, AnyHandler>> = {
  migrations: path.join(import.meta.dirname, 'migrations'),
  open: createLoanStore,
  handlers: ({ store, now }) => ({
    listLoans: () => ({ status: 200, body: store.shown }),

    async createLoan({ body }) {
      const { bookId, days } = body as { bookId: number; days: number };
      const loan = await store.create(bookId, days, new Date(now() + days * DAY).toISOString());
      return { status: 201, body: loan };
    },

    watchLoans: ({ headers }, { signal }) => ({
      status: 200,
      body: watched(store, Number(headers['Last-Event-ID'] ?? 0), signal),
    }),

    async cancelLoan({ path: { loanId }, caller }) {
      switch (await store.cancel(loanId as bigint, caller?.id ?? '', new Date(now()))) {
        case 'cancelled':
          return { status: 204 };
        case 'returned':
          return errorResponse(409, 'loan_already_returned', `Loan ${String(loanId)} is returned already.`);
        case 'not_found':
          return errorResponse(404, 'loan_not_found', `No loan has the id ${String(loanId)}.`);
      }
    },
  }),
  commands(program, withStore) {
    addImportCommand(program.command('loans').description('import loans'), {
      withStore,
      noun: 'loan',
      file: 'NDJSON of loans, or a JSON array of at most 64 MB',
      loadParse,
      begin: (store) => store.beginImport(),
    });
  },
  async demo(store) {
    const underway = await store.beginImport();
    await underway.stage([{ id: 1, bookId: 12, line: 1 }]);
    await underway.commit();
  },
};

const others: Feature<object, Record<string, AnyHandler>> = {
  open: () => ({}),
  // Tests that call one of these set its handler.
  handlers: () => ({
    ...Object.fromEntries(
      idsIn(contract)
        .filter((operation) => !/Loans?$/.test(operation))
        .map((operation) => [
          operation,
          () => errorResponse(500, 'internal_error', `${operation} is no loan.`),
        ]),
    ),
    // --demo requires it.
    findBooks: () => ({ status: 200, headers: { 'X-Total': 0 }, body: [] }),
  }),
};

/** A small service of loans, which tests the kit's server. */
export const library = defineService(
  contract,
  { loans, others },
  { version: '1.0.0', description: 'A library.' },
);
