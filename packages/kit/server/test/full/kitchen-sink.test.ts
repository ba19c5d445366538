import { defineService, notYet } from '../../src/index.ts';
import { contractFrom, contractText, newestContract, openContract } from '../library/contract-from.ts';
import { describeService } from '../../src/testing/describe-service.ts';

/* The tests that a new repository gets, with the kitchen-sink contracts. */

describe.each([contractFrom(contractText), openContract(), newestContract()])('$name', (contract) => {
  const handlers = Object.fromEntries(Object.keys(contract.operations).map((id) => [id, notYet]));
  const feature = { open: () => ({}), handlers: () => handlers };
  describeService(
    defineService(contract, { shelves: feature }, { version: '1.0.0', description: 'Shelves.' }),
  );
});
