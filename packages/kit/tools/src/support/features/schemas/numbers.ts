import { eachName, refused, when } from '../../rule.ts';

export const numberFeatures = [
  refused('Schema', {
    feature: '`multipleOf` a fraction',
    find: when(
      ({ multipleOf }) => multipleOf !== undefined && !(Number.isInteger(multipleOf) && multipleOf > 0),
      'multipleOf',
    ),
    example: 'type: number\nmultipleOf: 0.01 # here',
    advice: 'count in a smaller unit, such as cents: fractions are not exact in binary',
  }),
  refused('Schema', {
    feature: 'whole numbers beyond 2^53−1 as a bound, default or example',
    find: eachName(
      (name, value) => name !== 'multipleOf' && Number.isInteger(value) && !Number.isSafeInteger(value),
    ),
    example: 'type: integer\nmaximum: 9007199254740992 # here',
    advice: 'leave it out: JSON numbers are exact up to there',
  }),
  refused('Schema', {
    feature: '`enum`, `const` and `multipleOf` of int64',
    find: (schema) =>
      schema.format === 'int64'
        ? ['enum', 'const', 'multipleOf'].filter((name) => name in schema).map((name) => [name])
        : [],
    example: 'type: integer\nformat: int64\nenum: [1, 2] # here',
    advice: 'leave out format: int64 where the values are few',
  }),
];
