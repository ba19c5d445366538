import { named, on, where } from '../../rule.ts';

const { refused } = on('Schema');

export const numberFeatures = [
  refused(
    '`multipleOf` a fraction',
    where(
      ({ multipleOf }) => multipleOf !== undefined && !(Number.isInteger(multipleOf) && multipleOf > 0),
      'multipleOf',
    ),
    'type: number\nmultipleOf: 0.01 # here',
    'count in a smaller unit, such as cents: fractions are not exact in binary',
  ),
  refused(
    'whole numbers beyond 2^53−1 as a bound, default or example',
    named((name, value) => name !== 'multipleOf' && Number.isInteger(value) && !Number.isSafeInteger(value)),
    'type: integer\nmaximum: 9007199254740992 # here',
    'leave it out: JSON numbers are exact up to there',
  ),
  refused(
    '`enum`, `const` and `multipleOf` of int64',
    (schema) =>
      schema.format === 'int64'
        ? ['enum', 'const', 'multipleOf'].filter((name) => name in schema).map((name) => [name])
        : [],
    'type: integer\nformat: int64\nenum: [1, 2] # here',
    'leave out format: int64 where the values are few',
  ),
];
