import { edit } from '../../support/edit.ts';
import { compare, SHOP } from '../../support/shop.ts';

/** A schema that becomes another: what it means in a request, and in a reply. */
const SCHEMAS: readonly (readonly [from: string, to: string, request: string, reply: string])[] = [
  ['type: string', 'type: integer', 'major', 'major'],
  ['type: integer', 'type: number', 'minor', 'major'],
  ['type: number', 'type: integer', 'major', 'minor'],
  ['type: string', "type: [string, 'null']", 'minor', 'major'],
  ["type: [string, 'null']", 'type: string', 'major', 'minor'],
  ['type: string', "oneOf: [{ type: string }, { type: 'null' }]", 'minor', 'major'],
  ["type: [string, 'null']", "oneOf: [{ type: string }, { type: 'null' }]", '', ''],
  ['type: string', '{}', 'minor', 'major'],
  ['type: string', 'type: string, format: uuid', 'major', 'minor'],
  ['type: string, format: date', 'type: string, format: date-time', 'major', 'major'],
  ['type: integer, format: int32', 'type: integer, format: int64', 'minor', 'major'],
  ['type: string', 'type: string, enum: [a, b]', 'major', 'minor'],
  ['type: string, enum: [a]', 'type: string, enum: [a, b]', 'minor', 'major'],
  ['type: string, enum: [a, b]', 'type: string, enum: [a]', 'major', 'minor'],
  ['type: string, enum: [a, b]', 'type: string, enum: [b, c]', 'major', 'major'],
  ['type: string, enum: [a, b]', 'type: string, enum: [b, a]', '', ''],
  ['type: string, const: a', 'type: string, enum: [a]', '', ''],
  ['type: string, const: a', 'type: string, const: b', 'major', 'major'],
  ['type: integer, minimum: 1', 'type: integer, minimum: 0', 'minor', 'major'],
  ['type: integer, minimum: 1', 'type: integer, minimum: 2', 'major', 'minor'],
  ['type: integer', 'type: integer, maximum: 9', 'major', 'minor'],
  ['type: integer, maximum: 9', 'type: integer, maximum: 10', 'minor', 'major'],
  ['type: integer, minimum: 1', 'type: integer, exclusiveMinimum: 0', '', ''],
  ['type: number, minimum: 0', 'type: number, exclusiveMinimum: 0', 'major', 'minor'],
  ['type: number, exclusiveMaximum: 9', 'type: number, maximum: 9', 'minor', 'major'],
  ['type: string', 'type: string, minLength: 0', '', ''],
  ['type: string', 'type: string, minLength: 1', 'major', 'minor'],
  ['type: string, maxLength: 8', 'type: string, maxLength: 9', 'minor', 'major'],
  ['type: string, maxLength: 8', 'type: string', 'minor', 'major'],
  ['type: array, items: {}', 'type: array, items: {}, maxItems: 8', 'major', 'minor'],
  ['type: array, items: {}', 'type: array, items: {}, uniqueItems: true', 'major', 'minor'],
  ['type: array, items: { type: string }', 'type: array, items: { type: integer }', 'major', 'major'],
  ['type: string', 'type: string, pattern: ^a$', 'major', 'minor'],
  ['type: string, pattern: ^a$', 'type: string', 'minor', 'major'],
  ['type: string, pattern: ^a$', 'type: string, pattern: ^b$', 'major', 'major'],
  ['type: string, pattern: ^a$', 'type: string, pattern: .*', 'minor', 'major'],
  ['type: integer, multipleOf: 5', 'type: integer, multipleOf: 10', 'major', 'minor'],
  ['type: integer, multipleOf: 10', 'type: integer, multipleOf: 5', 'minor', 'major'],
  [
    'type: object, additionalProperties: { type: integer }',
    'type: object, additionalProperties: { type: number }',
    'minor',
    'major',
  ],
  [
    'type: object, additionalProperties: false',
    'type: object, additionalProperties: { type: string }',
    'minor',
    'minor,patch',
  ],
  [
    "type: object, additionalProperties: { $ref: '#/components/schemas/Pet' }",
    'type: object',
    'minor',
    'major',
  ],
  ["$ref: '#/components/schemas/Pet'", '{}', 'minor', 'major'],
  ["type: [string, 'null'], enum: [a]", "type: [string, 'null'], enum: [a, null]", 'minor', 'major'],
  ['type: string, enum: [a]', "type: [string, 'null'], enum: [a, null]", 'minor', 'major'],
  [
    'type: object, properties: {}',
    'type: object, properties: {}, additionalProperties: false',
    'major',
    'patch',
  ],
  ['type: string', 'type: string, not: { const: a }', 'major', 'minor'],
  ['type: string', 'oneOf: [{ type: string }, { type: integer }]', 'minor', 'major'],
  ['oneOf: [{ type: string }, { type: integer }]', 'oneOf: [{ type: integer }]', 'major', 'minor'],
  ['anyOf: [{ type: string }, { type: integer }]', 'anyOf: [{ type: integer }, { type: string }]', '', ''],
  [
    'oneOf: [{ type: string }, { type: integer }]',
    'anyOf: [{ type: string }, { type: integer }]',
    'minor',
    'major',
  ],
  [
    'oneOf: [{ type: string }, { type: integer }]',
    'oneOf: [{ type: string }, { type: integer, maximum: 9 }]',
    'major',
    'minor',
  ],
  ['type: string, maxLength: 8', 'allOf: [{ type: string }, { maxLength: 8 }]', '', ''],
  [
    'allOf: [{ type: string }, { maxLength: 8 }]',
    'allOf: [{ type: string, maxLength: 7 }, { maxLength: 8 }]',
    'major',
    'minor',
  ],
  ['type: string', "$ref: '#/components/schemas/Unused'", '', ''],
  ['type: string', 'type: string, description: A word.', 'patch', 'patch'],
  ['type: string', 'type: string, example: a', '', ''],
  ['type: string', 'type: string, deprecated: true', 'minor', 'minor'],
];

test.each(SCHEMAS)('{ %s } becomes { %s }: %s in a request, %s in a reply', (from, to, request, reply) => {
  const impacts = (marker: string) => {
    const written = (schema: string) =>
      edit(SHOP, marker, `probe: { ${schema === '{}' ? '' : schema} }\n        ${marker}`);
    const lines = compare(written(from), written(to));
    return [...new Set(lines.map((line) => line.split(':')[0]))].join();
  };
  expect([impacts('gift: {'), impacts('kind: {')]).toEqual([request, reply]);
});

test('what changes in a shared schema is said of requests and of replies', () => {
  const shared = edit(SHOP, 'schemas/NewOrder', 'schemas/Order');
  expect(compare(shared, edit(shared, 'kind: { type: string', 'kind: { type: string, maxLength: 8'))).toEqual(
    [
      'major: Order.kind: gets maxLength: 8: takes less than before',
      'minor: Order.kind: gets maxLength: 8: promises more than before',
    ],
  );
});
