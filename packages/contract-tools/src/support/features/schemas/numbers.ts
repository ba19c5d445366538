import { any, has, is, named, refused, where, works } from '../../feature.ts';

export const numberFeatures = [
  works(
    '`minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`',
    'Schema',
    has('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'),
    '',
    'type: number\nexclusiveMinimum: 0',
  ),
  refused(
    '`exclusiveMinimum: true` of OpenAPI 3.0',
    'Schema',
    any(is('exclusiveMinimum', true, false), is('exclusiveMaximum', true, false)),
    'write the bound itself: exclusiveMinimum: 0',
    'type: number\nminimum: 0\nexclusiveMinimum: true # here',
  ),
  works('`multipleOf` a whole number', 'Schema', has('multipleOf'), '', 'type: integer\nmultipleOf: 5'),
  refused(
    '`multipleOf` a fraction',
    'Schema',
    where(
      ({ multipleOf }) => multipleOf !== undefined && !(Number.isInteger(multipleOf) && multipleOf > 0),
      'multipleOf',
    ),
    'count in a smaller unit, such as cents: fractions are not exact in binary',
    'type: number\nmultipleOf: 0.01 # here',
  ),
  refused(
    'whole numbers beyond 2^53−1 as a bound, default or example',
    'Schema',
    named((name, value) => name !== 'multipleOf' && Number.isInteger(value) && !Number.isSafeInteger(value)),
    'leave it out: JSON numbers are exact up to there',
    'type: integer\nmaximum: 9007199254740992 # here',
  ),
  refused(
    '`enum`, `const` and `multipleOf` of int64',
    'Schema',
    (schema) =>
      schema.format === 'int64'
        ? ['enum', 'const', 'multipleOf'].filter((name) => name in schema).map((name) => [name])
        : [],
    'leave out format: int64 where the values are few',
    'type: integer\nformat: int64\nenum: [1, 2] # here',
  ),
];
