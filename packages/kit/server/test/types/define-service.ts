/* Compiled by `npm run typecheck`, never run: each mistake must be an error on exactly its line. */
import type { Contract } from '@contract-kit/core';
import {
  defineService,
  secret,
  type Authenticate,
  type Feature,
  type Middleware,
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
