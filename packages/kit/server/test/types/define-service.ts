/* Compiled by `npm run typecheck`, never run: each mistake must be an error on exactly its line. */
import type { Contract } from '@contract-kit/core';
import {
  defineService,
  secret,
  type Authenticate,
  type Feature,
  type Job,
  type Middleware,
  type Services,
  type SharedServices,
} from '../../src/index.ts';

declare const contract: Contract<{ listLoans: unknown; cancelLoan: unknown }>;
declare const list: Feature<object, { listLoans: () => void }>;
declare const cancel: Feature<object, { cancelLoan: () => void }>;
declare const both: Feature<object, { listLoans: () => void; cancelLoan: () => void }>;
declare const fines: Feature<object, {}, { stores: { members: { pay: () => void } } }>;

const rest = { version: '1.0.0', description: 'Loans.' };

defineService(contract, { list, cancel }, rest);
defineService(contract, { both }, rest);

// Two features that handle one operation.
// @ts-expect-error both features handle cancelLoan
defineService(contract, { both, cancel }, rest);
// @ts-expect-error no feature handles cancelLoan
defineService(contract, { list }, rest);
// @ts-expect-error no feature has the store that fines needs
defineService(contract, { both, fines }, rest);

interface Keyed {
  settings: { TOKEN_KEY: string };
}
declare const authenticate: Authenticate<Keyed>;
declare const middleware: Middleware<Keyed>;
declare const extend: (app: unknown, services: SharedServices<Keyed>) => void;
const settings = { TOKEN_KEY: secret() };

defineService(contract, { both }, { ...rest, settings, authenticate, middleware, extend });
// @ts-expect-error the service has no TOKEN_KEY for authenticate
defineService(contract, { both }, { ...rest, authenticate });
// @ts-expect-error the service has no TOKEN_KEY for its middleware
defineService(contract, { both }, { ...rest, middleware });
// @ts-expect-error the service has no TOKEN_KEY for its own routes
defineService(contract, { both }, { ...rest, extend });

interface MailJobs {
  remind: { book: number };
}
interface Mailing {
  jobs: MailJobs;
}
declare const remind: Job<{ book: number }, object, Mailing>;
declare const adding: Feature<object, { listLoans: () => void; cancelLoan: () => void }, Mailing>;
const mail: Feature<object, {}, {}, MailJobs> = {
  open: () => ({}),
  handlers: () => ({}),
  jobs: { remind: { parse: () => ({ book: 1 }), run: ({ book }) => void book } },
};

defineService(contract, { adding, mail }, rest);
// @ts-expect-error no feature has the job that the feature adds
defineService(contract, { adding }, rest);

export async function addJobs({ jobs, transaction }: Services<object, Mailing>): Promise<void> {
  await jobs.add('remind', { book: 1 }, { queue: 'a' });
  await transaction(({ jobs }) => jobs.add('remind', { book: 1 }));
  // @ts-expect-error a book is a number
  await jobs.add('remind', { book: '1' });
  // @ts-expect-error the feature needs no such job
  await jobs.add('forget', { book: 1 });
}

export const declared: Feature<object, {}, Mailing, MailJobs>['jobs'] = { remind };
// @ts-expect-error the payload is another one
export const wrong: Feature<object, {}, Mailing, { remind: { book: string } }>['jobs'] = { remind };
