import { isInUsualStyle } from '@contract-kit/core/model';
import { isInt64 } from '@contract-kit/core/json';
import { OutOfBounds, scalarOf } from '../src/validation/scalar.ts';

const schema = { type: 'integer', format: 'int64', description: 'An id.', 'x-note': 1 };
const LARGEST = ['-9223372036854775808', '0', '9223372036854775807'];

test('reads every canonical int64 exactly, and no other text', () => {
  expect(LARGEST.map((text) => scalarOf(schema).read(text))).toEqual(LARGEST.map(BigInt));
  const others = ['-9223372036854775809', '9223372036854775808', '01', '-0', '+1', '1.0', '0x1', ' 1', ''];
  expect(LARGEST.every(isInt64)).toBe(true);
  expect(others.filter(isInt64)).toEqual([]);
});

test.each([
  [{ minimum: 1 }, '1', '0', '>= 1'],
  [{ maximum: 9007199254740991 }, '9007199254740991', '9007199254740992', '<= 9007199254740991'],
  [{ exclusiveMinimum: 0 }, '1', '0', '> 0'],
  [{ exclusiveMaximum: 0 }, '-1', '0', '< 0'],
  [{ multipleOf: 5 }, '9007199254740995', '9007199254740996', 'a multiple of 5'],
])('keeps a bound of the contract: %j', (bound, within, beyond, wanted) => {
  const { read } = scalarOf({ ...schema, ...bound });
  expect([read(within), read(beyond)]).toEqual([BigInt(within), new OutOfBounds(wanted)]);
});

test('ignores keywords that only describe the parameter', () => {
  const explained = { title: 'Id', externalDocs: { url: 'https://library.example' }, 'x-owner': 'loans' };
  expect(scalarOf({ ...schema, ...explained }).read('1')).toBe(1n);
});

test('leaves unsupported keywords to the validator of whole schemas', () => {
  const parameter = { in: 'query', style: 'form' } as const;
  expect(isInUsualStyle({ ...parameter, schema })).toBe(true);
  expect(isInUsualStyle({ ...parameter, schema: { ...schema, not: { const: 0 } } })).toBe(false);
});
