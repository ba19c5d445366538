import { readSchemas } from '@contract-kit/core/model';
import fc from 'fast-check';
import { inputsOf } from '../src/fuzz/inputs.ts';
import type { Operation } from '../src/fuzz/operations.ts';
import { makingOf } from '../src/fuzz/values.ts';

test('every generated text of a parameter has an encoding, also a long one', () => {
  const parameter = { name: 'q', in: 'query', style: 'form', schema: { type: 'string' } };
  const operation = {
    making: makingOf(readSchemas({})),
    path: '/notes',
    allPaths: ['/notes'],
    parameters: [parameter],
  } as unknown as Operation;
  const { unfitting } = inputsOf(operation);
  // Encoding throws a URIError for half of a surrogate pair.
  expect(fc.sample(unfitting as fc.Arbitrary<unknown>, { seed: 1, numRuns: 5000 })).toHaveLength(5000);
});
