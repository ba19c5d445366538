import { contractAjv } from '../../src/json/contract-ajv.ts';
import { isMultipleOf } from '../../src/json/multiple.ts';

const multiples: readonly (readonly [value: number | bigint, step: number])[] = [
  [1070468.14, 0.01],
  [-1070468.14, 0.01],
  [0.3, 0.1],
  [4.5, 1.5],
  [0, 0.01],
  [1e300, 0.01],
  [1e22, 1e21],
  [1e-7, 1e-8],
  [9007199254740993n, 3],
  [12n, 0.5],
];
const others: readonly (readonly [value: number | bigint, step: number])[] = [
  [1070468.145, 0.01],
  [1.005, 0.01],
  [7, 2],
  [5e-324, 0.01],
  [9007199254740993n, 2],
  [Infinity, 1],
];

test.each(multiples)('%s is a multiple of %s', (value, step) => {
  expect(isMultipleOf(value, step)).toBe(true);
});

test.each(others)('%s is no multiple of %s', (value, step) => {
  expect(isMultipleOf(value, step)).toBe(false);
});

test('every amount in cents is a multiple of 0.01, also in a schema', () => {
  const validate = contractAjv().compile({ multipleOf: 0.01 });
  const amounts = Array.from({ length: 20_000 }, (_, index) => Number(`${index * 997}.${10 + (index % 90)}`));
  expect(amounts.filter((amount) => !validate(amount))).toEqual([]);
  expect(validate(1070468.145)).toBe(false);
  expect(validate.errors).toMatchObject([
    { keyword: 'multipleOf', message: 'must be multiple of 0.01', params: { multipleOf: 0.01 } },
  ]);
});
