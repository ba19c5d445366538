import { defineService, notYet } from '@contract-kit/server';
import {
  contractFrom,
  contractText,
  idsIn,
  newestContract,
  openContract,
  openErrorBody,
} from '@contract-kit/test-support/contracts';
import { describeService } from '../../src/index.ts';

/* The tests that a new repository gets, with the kitchen-sink contracts. */

describe.each([
  { contract: contractFrom(contractText) },
  { contract: openContract(), errorBody: openErrorBody },
  { contract: newestContract() },
])('$contract.name', ({ contract, ...options }) => {
  const handlers = Object.fromEntries(idsIn(contract).map((id) => [id, notYet]));
  const feature = { open: () => ({}), handlers: () => handlers };
  describeService(
    defineService(contract, { shelves: feature }, { version: '1.0.0', description: 'Shelves.', ...options }),
  );
});
