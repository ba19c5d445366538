import { isRounded, roundedNumberIn } from '../src/validation/exact-number.ts';

test.each([
  ['a whole number beyond 2^53', '9007199254740993'],
  ['a fraction that becomes a whole number', '9007199254740990.6'],
  ['the same below 0', '-9007199254740990.6'],
  ['a fraction that becomes 1', '0.99999999999999999999'],
  ['a fraction that becomes 0', '1e-400'],
  ['a number that becomes infinite', '1e999'],
])('%s is rounded: %s', (_what, number) => {
  expect(isRounded(number)).toBe(true);
});

test.each(['0', '-0', '1.0', '1e3', '100e-2', '0.1', '0.30000000000000004', '9007199254740992', '5e-324'])(
  '%s is read as it is written, or as near as JSON numbers get',
  (number) => {
    expect(isRounded(number)).toBe(false);
  },
);

test.each([1e300, Number.MAX_VALUE, 2 ** 60, 2 ** 60 + 2 ** 9])(
  '%s is what JSON.stringify writes of it',
  (number) => {
    expect(isRounded(JSON.stringify(number))).toBe(false);
  },
);

test('a rounded number is found wherever it stands, and digits in texts are none', () => {
  expect(roundedNumberIn('{"1e999\\"":["1e999",{"a":9007199254740993}]}')).toBe('9007199254740993');
  expect(roundedNumberIn('{"1e999\\"":["1e999\\\\",{"9007199254740993":12}]}')).toBeUndefined();
});
