import { edit } from '../support/edit.ts';
import { compare, SHOP } from '../support/shop.ts';

/** The first schema accepts less than the second. */
const WIDER: readonly (readonly [narrower: string, wider: string])[] = [
  ['type: integer', 'type: number'],
  ['type: string', "type: [string, 'null']"],
  ['type: string', "oneOf: [{ type: string }, { type: 'null' }]"],
  ['const: null', "type: [string, 'null']"],
  ['type: string', '{}'],
  ["$ref: '#/components/schemas/Book'", '{}'],
  ['type: string, format: uuid', 'type: string'],
  ['type: integer, format: int32', 'type: integer, format: int64'],
  ['type: string, enum: [a, b]', 'type: string'],
  ['type: string, enum: [a]', 'type: string, enum: [a, b]'],
  ['const: a', 'type: string'],
  ['const: 1', 'type: number'],
  ['type: string, const: a', 'type: string'],
  ["type: [string, 'null'], enum: [a]", "type: [string, 'null'], enum: [a, null]"],
  ['type: string, enum: [a]', "type: [string, 'null'], enum: [a, null]"],
  ['type: integer, minimum: 1', 'type: integer, minimum: 0'],
  ['type: number, exclusiveMinimum: 0', 'type: number, minimum: 0'],
  ['type: integer, maximum: 9', 'type: integer, maximum: 10'],
  ['type: integer, maximum: 9', 'type: integer'],
  ['type: number, exclusiveMaximum: 9', 'type: number, maximum: 9'],
  ['type: string, minLength: 1', 'type: string'],
  ['type: string, maxLength: 8', 'type: string, maxLength: 9'],
  ['type: string, maxLength: 8', 'type: string'],
  ['type: array, items: {}, maxItems: 8', 'type: array, items: {}'],
  ['type: array, items: {}, uniqueItems: true', 'type: array, items: {}'],
  ['type: string, pattern: ^a$', 'type: string'],
  ['type: string, pattern: ^a$', 'type: string, pattern: .*'],
  ['type: integer, multipleOf: 10', 'type: integer, multipleOf: 5'],
  [
    'type: object, additionalProperties: { type: integer }',
    'type: object, additionalProperties: { type: number }',
  ],
  ["type: object, additionalProperties: { $ref: '#/components/schemas/Book' }", 'type: object'],
  ['type: string', 'oneOf: [{ type: string }, { type: integer }]'],
  ['oneOf: [{ type: integer }]', 'oneOf: [{ type: string }, { type: integer }]'],
  ['oneOf: [{ type: string }, { type: integer }]', 'anyOf: [{ type: string }, { type: integer }]'],
  [
    'oneOf: [{ type: string }, { type: integer, maximum: 9 }]',
    'oneOf: [{ type: string }, { type: integer }]',
  ],
  ['oneOf: [{ required: [a, c] }, { required: [b] }]', 'oneOf: [{ required: [a] }, { required: [b] }]'],
  ['type: object, required: [a]', 'type: object'],
  ['allOf: [{ type: number }, { type: integer }]', 'type: number'],
  [
    'allOf: [{ type: string, maxLength: 7 }, { maxLength: 8 }]',
    'allOf: [{ type: string }, { maxLength: 8 }]',
  ],
  [
    'allOf: [{ type: array, items: {} }, { type: array, items: { type: integer } }]',
    'allOf: [{ type: array, items: {} }, { type: array, items: { type: number } }]',
  ],
  [
    'allOf: [{ oneOf: [{ type: string }, { type: integer }] }, { anyOf: [{ type: integer, maximum: 8 }] }]',
    'allOf: [{ oneOf: [{ type: string }, { type: integer }] }, { anyOf: [{ type: integer }] }]',
  ],
];

/** Neither schema accepts all that the other does. */
const OTHER: typeof WIDER = [
  ['type: string', 'type: integer'],
  ['type: string, format: date', 'type: string, format: date-time'],
  ['type: string, enum: [a, b]', 'type: string, enum: [b, c]'],
  ['type: string, const: a', 'type: string, const: b'],
  ['type: array, items: { type: string }', 'type: array, items: { type: integer }'],
  ['type: string, pattern: ^a$', 'type: string, pattern: ^b$'],
  [
    'type: string, anyOf: [{ minLength: 1 }, { maxLength: 0 }]',
    'type: integer, anyOf: [{ minLength: 1 }, { maxLength: 0 }]',
  ],
  ['type: object, properties: { a: {} }', 'type: object, properties: { a: false }'],
  // The comparison does not interpret `if` and `not`.
  [
    'allOf: [{ if: { maxLength: 8 }, then: { minLength: 2 } }]',
    'allOf: [{ if: { maxLength: 8 }, then: { minLength: 2 } }, { if: { type: integer }, then: { maximum: 9 } }]',
  ],
  ['type: string, not: { const: a }', 'type: string'],
];

/** Both schemas accept the same values. */
const SAME: typeof WIDER = [
  ['const: a', 'type: string, const: a'],
  ["type: 'null'", "type: 'null', example: null"],
  ['const: null', "type: 'null'"],
  ["type: [string, 'null']", "oneOf: [{ type: string }, { type: 'null' }]"],
  ['type: string, enum: [a, b]', 'type: string, enum: [b, a]'],
  ['type: string, const: a', 'type: string, enum: [a]'],
  ['type: integer, minimum: 1', 'type: integer, exclusiveMinimum: 0'],
  ['type: string', 'type: string, minLength: 0'],
  ['anyOf: [{ type: string }, { type: integer }]', 'anyOf: [{ type: integer }, { type: string }]'],
  ['oneOf: [{ type: string }]', 'type: string, oneOf: [{ type: string }]'],
  ['type: string, maxLength: 8', 'allOf: [{ type: string }, { maxLength: 8 }]'],
  ['type: string', "$ref: '#/components/schemas/Unused'"],
  ['type: string', 'type: string, example: a'],
];

const MAP = 'type: object, additionalProperties: { type: integer }';

/** A schema with the property n instead of, or besides, MAP, and what getting and losing n means. */
const MAPS: readonly (readonly [named: string, ...gets: [string, string], ...loses: [string, string]])[] = [
  ['properties: { n: { type: integer } }', 'minor,patch', 'major,patch', 'major,patch', 'minor,patch'],
  [
    'properties: { n: { type: string } }',
    'major,minor,patch',
    'major,patch',
    'major,patch',
    'major,minor,patch',
  ],
  [
    'properties: { n: { type: number } }, additionalProperties: { type: integer }',
    'minor,patch',
    'major,patch',
    'major,patch',
    'minor,patch',
  ],
  [
    'properties: { n: { type: integer } }, additionalProperties: { type: integer }',
    'patch',
    'patch',
    'patch',
    'patch',
  ],
  [
    'required: [n], properties: { n: { type: integer } }, additionalProperties: { type: integer }',
    'major,patch',
    'minor,patch',
    'minor,patch',
    'major,patch',
  ],
  [
    'properties: { n: { type: integer, readOnly: true } }, additionalProperties: { type: integer }',
    'major',
    'patch',
    'minor',
    'patch',
  ],
];

type Row = readonly [from: string, to: string, request: string, response: string];

test.each<Row>([
  ...WIDER.flatMap(([narrower, wider]): Row[] => [
    [narrower, wider, 'minor', 'major'],
    [wider, narrower, 'major', 'minor'],
  ]),
  ...OTHER.flatMap(([one, other]): Row[] => [
    [one, other, 'major', 'major'],
    [other, one, 'major', 'major'],
  ]),
  ...SAME.flatMap(([one, other]): Row[] => [
    [one, other, '', ''],
    [other, one, '', ''],
  ]),
  [
    'type: object, additionalProperties: false',
    'type: object, additionalProperties: { type: string }',
    'minor',
    'minor,patch',
  ],
  [
    'type: object, properties: {}',
    'type: object, properties: {}, additionalProperties: false',
    'major',
    'patch',
  ],
  ...MAPS.flatMap(([named, request, response, requestBack, responseBack]): Row[] => [
    [MAP, `type: object, ${named}`, request, response],
    [`type: object, ${named}`, MAP, requestBack, responseBack],
  ]),
  [
    'type: object, additionalProperties: true',
    'type: object, properties: { n: { type: integer } }',
    'major,patch',
    'minor,patch',
  ],
  ['type: object, additionalProperties: true', 'type: object, additionalProperties: {}', '', ''],
  [
    'allOf: [{ type: object, additionalProperties: true }]',
    'allOf: [{ type: object, additionalProperties: true }, { additionalProperties: false }]',
    'major',
    'patch',
  ],
  // Accepting other fields promises nothing about them.
  [
    'type: object, properties: { m: {} }, additionalProperties: true',
    'type: object, properties: { m: {}, n: { type: integer } }, additionalProperties: true',
    'minor',
    'minor',
  ],
  ['type: string', 'type: string, description: A word.', 'patch', 'patch'],
  ['type: string', 'type: string, deprecated: true', 'minor', 'minor'],
])('{ %s } becomes { %s }: %s in a request, %s in a response', (from, to, request, response) => {
  const impacts = (marker: string) => {
    const written = (schema: string) =>
      edit(SHOP, marker, `probe: { ${schema === '{}' ? '' : schema} }\n        ${marker}`);
    const lines = compare(written(from), written(to));
    return [...new Set(lines.map((line) => line.split(':')[0]))].join();
  };
  expect([impacts('gift: {'), impacts('kind: {')]).toEqual([request, response]);
});

test('reports a change in a shared schema for requests and for responses', () => {
  const shared = edit(SHOP, 'schemas/NewLoan', 'schemas/Loan');
  expect(compare(shared, edit(shared, 'kind: { type: string', 'kind: { type: string, maxLength: 8'))).toEqual(
    [
      'major: Loan.kind: gets maxLength: 8: requests that were valid are rejected',
      'minor: Loan.kind: gets maxLength: 8: clients get only what they got before',
    ],
  );
});

test('compares a shared part of allOf for each schema that extends it', () => {
  const PAGE = `
    Page: { type: object, properties: { data: { type: array, items: { type: object, additionalProperties: true } } } }`;
  const pageOf = (name: string) =>
    `schema: { allOf: [{ $ref: '#/components/schemas/Page' }, { type: object, properties: { data: { type: array, items: { $ref: '#/components/schemas/${name}' } } } }] }`;
  const paged = ['Loan', 'Book'].reduce(
    (text, name) => edit(text, `schema: { $ref: '#/components/schemas/${name}' }`, pageOf(name)),
    edit(SHOP, '  schemas:', `  schemas:${PAGE}`),
  );
  const renamed = edit(
    paged,
    'Book: { type: object, properties: { name:',
    'Book: { type: object, properties: { called:',
  );
  expect(compare(paged, renamed)).toEqual([
    'major: Book.name: is no longer in responses',
    'minor: Book.called: is new in responses',
  ]);
});

test('a keyword next to a reference counts, even if the component is used elsewhere', () => {
  const other = "probe: { $ref: '#/components/schemas/Book' }\n        kind: {";
  const shared = edit(SHOP, 'kind: {', other);
  const limited = edit(shared, "Book' }\n", "Book', maxProperties: 3 }\n");
  expect(compare(limited, shared)).toEqual([
    'major: Loan.probe: loses maxProperties: 3: clients may get what they never got before',
  ]);
});
