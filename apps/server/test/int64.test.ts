import { int64Within } from '../src/validation/int64.ts';

const schema = { type: 'integer', format: 'int64', description: 'An id.', 'x-note': 1 };

test('without bounds every canonical int64 is within them', () => {
  const isWithin = int64Within(schema);
  expect(['-9223372036854775808', '0', '9223372036854775807'].every(isWithin)).toBe(true);
  expect(['-9223372036854775809', '9223372036854775808', '01', '1.0', ''].some(isWithin)).toBe(false);
});

test.each([
  [{ minimum: 1 }, '1', '0'],
  [{ maximum: 9007199254740991 }, '9007199254740991', '9007199254740992'],
  [{ exclusiveMinimum: 0 }, '1', '0'],
  [{ exclusiveMaximum: 0 }, '-1', '0'],
  [{ multipleOf: 5 }, '9007199254740995', '9007199254740996'],
])('a bound of the contract is kept: %j', (bound, within, beyond) => {
  const isWithin = int64Within({ ...schema, ...bound });
  expect([isWithin(within), isWithin(beyond)]).toEqual([true, false]);
});

test('a keyword that is not looked at is refused at the start rather than ignored', () => {
  expect(() => int64Within({ ...schema, enum: [1, 2] })).toThrow(
    'the keyword enum of an int64 parameter is not supported',
  );
});
