import { int64Reader } from '../src/validation/int64.ts';

const schema = { type: 'integer', format: 'int64', description: 'An id.', 'x-note': 1 };
const LARGEST = ['-9223372036854775808', '0', '9223372036854775807'];

test('without bounds every canonical int64 is read exactly, and nothing else', () => {
  const read = int64Reader(schema);
  expect(LARGEST.map(read)).toEqual(LARGEST.map(BigInt));
  const others = ['-9223372036854775809', '9223372036854775808', '01', '1.0', ''];
  expect(new Set(others.map(read))).toEqual(new Set(['a 64-bit decimal integer']));
});

test.each([
  [{ minimum: 1 }, '1', '0', '>= 1'],
  [{ maximum: 9007199254740991 }, '9007199254740991', '9007199254740992', '<= 9007199254740991'],
  [{ exclusiveMinimum: 0 }, '1', '0', '> 0'],
  [{ exclusiveMaximum: 0 }, '-1', '0', '< 0'],
  [{ multipleOf: 5 }, '9007199254740995', '9007199254740996', 'a multiple of 5'],
])('a bound of the contract is kept: %j', (bound, within, beyond, wanted) => {
  const read = int64Reader({ ...schema, ...bound });
  expect([read(within), read(beyond)]).toEqual([BigInt(within), wanted]);
});

test('what only explains the parameter is let through', () => {
  const explained = { title: 'Id', externalDocs: { url: 'https://petstore.example' }, 'x-owner': 'orders' };
  expect(int64Reader({ ...schema, ...explained })('1')).toBe(1n);
});

test('a keyword that is not looked at is refused at the start rather than ignored', () => {
  expect(() => int64Reader({ ...schema, enum: [1, 2] })).toThrow(
    'the keyword enum of an int64 parameter is not supported',
  );
});
