import { server, virtualClock } from '@contract-kit/test-support/served';
import type { ClientOperation } from '../../src/client-contract.ts';
import type { Options } from '../../src/index.ts';
import { createLibrary, operations, type Library } from './library.ts';

export * from '@contract-kit/test-support/served';

export const apiKey = 'lib_test';

/** A client of the server, whose waits take no time and are not reported. */
export const client = (options: Options = {}): Library =>
  createLibrary({ apiKey, baseUrl: server?.baseUrl, clock: virtualClock(), onWait: () => {}, ...options });

/** `cancelLoan`, which a test may extend by features that no operation of the contract has. */
export const altered: { -readonly [Part in keyof ClientOperation]: ClientOperation[Part] } =
  operations.cancelLoan;
const unaltered = { ...altered };
afterEach(() => {
  for (const name of Object.keys(altered)) delete altered[name as keyof ClientOperation];
  Object.assign(altered, unaltered);
});
