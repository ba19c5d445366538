import { readSchemas, type Schema } from '../../src/model/index.ts';
import { choicesFrom, exampleOf, makeValue, valuesIn, violationsIn } from '../../src/values/index.ts';

/* The one maker of values: they fit their schema, and their place carries them. */

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: Record<string, unknown>, required = Object.keys(properties)): Schema =>
  ({ type: 'object', required, properties }) as Schema;
const text = { type: 'string' };
const integer = { type: 'integer' };

const components = {
  schemas: {
    Node: object({ name: text, children: { type: 'array', items: ref('Node') } }),
    Json: {
      anyOf: [
        { type: ['string', 'number', 'boolean', 'null'] },
        { type: 'array', items: ref('Json') },
        { type: 'object', additionalProperties: ref('Json') },
      ],
    },
    OnlyLists: { type: 'array', items: ref('OnlyLists') },
    Chain: object({ next: { anyOf: [ref('Chain'), { type: 'null' }] } }),
    Tree: object({ left: ref('Tree'), size: integer }, ['size']),
    Endless: object({ next: ref('Endless') }),
    Entity: object({ id: integer, creator: ref('Person') }, ['id']),
    Person: { allOf: [ref('Entity'), object({ name: text })] },
    Task: {
      oneOf: [ref('daily'), ref('single')],
      discriminator: { propertyName: 'kind' },
      required: ['kind'],
      properties: { kind: { type: 'string', enum: ['daily', 'single'] } },
    },
    daily: object({ hour: integer }),
    single: object({ at: { type: 'string', format: 'date' } }),
    Animal: {
      ...object({ kind: text }),
      discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
    },
    Cat: { allOf: [ref('Animal'), object({ lives: { type: 'integer', minimum: 1 } })] },
  },
};
const schemas = readSchemas({ components });
const values = valuesIn({ schemas });
const violationsOf = violationsIn({ schemas });

/** Numbers that are the same each time. */
function numbersFrom(seed: number, count: number): number[] {
  const numbers: number[] = [];
  let state = seed;
  while (numbers.length < count) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    numbers.push(state >>> 8);
  }
  return numbers;
}

const body = (schema: unknown, type = 'application/json', kind = 'json') =>
  ({ type, kind, encoding: {}, schema: schema as Schema }) as const;
const parameter = (place: string, schema: unknown, more: object = {}) => ({
  ...{ name: 'p', in: place, required: true, schema: schema as Schema, written: schema },
  ...{ style: /query|cookie/.test(place) ? 'form' : 'simple', explode: place === 'query', ...more },
});

const PASSWORD = '^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d)(?=.*[!?])\\S+$';
const SCHEMAS: readonly (readonly [string, unknown, unknown])[] = [
  ['a list that closes a recursion', ref('Node'), { name: 'text', children: [] }],
  ['any JSON', ref('Json'), 'text'],
  ['lists alone', ref('OnlyLists'), []],
  ['null that closes a recursion', ref('Chain'), { next: null }],
  ['an optional field that closes a recursion', ref('Tree'), { size: 1 }],
  ['a discriminator whose branches have no tag', ref('Task'), { kind: 'daily', hour: 1 }],
  ['a base with a discriminator', ref('Animal'), { kind: 'cat', lives: 1 }],
  ['what extends a base', ref('Cat'), { kind: 'cat', lives: 1 }],
  [
    'unions in parts of parts',
    {
      allOf: [
        { allOf: [object({ a: text }), { oneOf: [object({ b: integer }), object({ c: integer })] }] },
        { anyOf: [object({ d: { const: 1 } }), object({ e: integer })] },
      ],
    },
    { a: 'text', b: 1, d: 1 },
  ],
  ['a pattern and a length', { type: 'string', pattern: '^[0-9a-f:-]+$', minLength: 12 }, 'aaaaaaaaaaaa'],
  [
    'a pattern and a length in two parts',
    { allOf: [{ type: 'string', pattern: '^[a-z]+$' }, { minLength: 9 }] },
    'aaaaaaaaa',
  ],
  ['a password', { type: 'string', pattern: PASSWORD, minLength: 8, maxLength: 64 }, expect.any(String)],
  ['cents', { type: 'number', multipleOf: 0.01, minimum: 100_000.07 }, 100_000.07],
  ['two steps', { allOf: [{ type: 'number', multipleOf: 0.1 }, { multipleOf: 0.25 }], minimum: 1.1 }, 1.5],
  ['a number between two others', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
  ['numbers below 0', { type: 'integer', maximum: -7 }, -7],
  [
    'different items',
    { type: 'array', minItems: 3, uniqueItems: true, items: { enum: [1, 2, 3, 4] } },
    [1, 2, 3],
  ],
  ['an item that a list contains', { type: 'array', items: text, contains: { const: 'a' } }, ['a']],
  ['a list that is empty alone', object({ data: { type: 'array', items: false } }), { data: [] }],
  ['a list of no items', object({ data: { type: 'array', maxItems: 0 } }), { data: [] }],
  ['an object that is empty alone', object({ data: { type: 'object', maxProperties: 0 } }), { data: {} }],
  [
    'what a field depends on',
    {
      ...object({ a: text, b: text, c: integer }, ['a']),
      dependentRequired: { a: ['b'] },
      dependentSchemas: { a: { required: ['c'] } },
    },
    { a: 'text', b: 'text', c: 1 },
  ],
  [
    'a condition',
    {
      ...object({ a: { enum: [1, 2] } }),
      if: { properties: { a: { const: 2 } } },
      then: object({ b: text }),
    },
    { a: 2, b: 'text' },
  ],
  [
    'names with a pattern',
    {
      type: 'object',
      minProperties: 2,
      propertyNames: { pattern: '^[a-z]{3}$' },
      additionalProperties: integer,
    },
    { aaa: 1, vbq: 1 },
  ],
  ['names of every object', object({ toString: text, valueOf: text }), { toString: 'text', valueOf: 'text' }],
];

test.each(SCHEMAS)('a sample of %s', (_, schema, sample) => {
  expect(exampleOf(schemas, body(schema))).toEqual(sample);
  expect(values.first('sent', body(schema))).toEqual(sample);
});

test.each(SCHEMAS)('generated values of %s fit', (_, schema) => {
  const fits = (seed: number) => {
    const choices = choicesFrom(numbersFrom(seed, seed));
    const { value } = makeValue(schemas, body(schema), { choices, ignoresShown: true });
    return value !== undefined && violationsOf('sent', schema, value).length === 0;
  };
  const seeds = Array.from({ length: 100 }, (_, seed) => seed);
  // A condition may hold where its other side was chosen.
  expect(seeds.filter(fits).length).toBeGreaterThan(70);
});

test('without numbers, the simplest value is made', () => {
  const schema = object({ name: text, size: integer, others: { type: 'array', items: text } }, [
    'name',
    'size',
  ]);
  const { value } = makeValue(schemas, body(schema), { choices: choicesFrom([]), ignoresShown: true });
  expect(value).toEqual({ name: '', size: 1 });
});

test.each([
  [
    'an object in a path',
    parameter('path', object({ x: integer, y: integer }, []), { explode: true }),
    { x: 1 },
  ],
  ['a list in a query', parameter('query', { type: 'array', items: text }), ['text']],
  [
    'an object in a query',
    parameter('query', object({ a: text, list: { type: 'array' } }, [])),
    { a: 'text' },
  ],
  ['an enum in a path', parameter('path', { enum: ['', '.', '..', 'a'] }), 'a'],
  ['a header with spaces', parameter('header', { enum: [' a', 'é', 'a\r\nb', 'b c'] }), 'b c'],
  ['a list in a header', parameter('header', { type: 'array', items: { enum: ['a,b', 'c'] } }), ['c']],
  [
    'pipes',
    parameter(
      'query',
      { type: 'array', items: { enum: ['a|b', 'c'] } },
      { style: 'pipeDelimited', explode: false },
    ),
    ['c'],
  ],
  ['half a surrogate pair', body({ enum: ['\ud800', 'a'] }), 'a'],
  ['int64 as text in a path', parameter('path', { type: 'string', format: 'int64' }), '1'],
  ['uint64 as text in a body', body(object({ id: { type: 'string', format: 'uint64' } })), { id: '1' }],
  ['a text that may be empty', body({ type: 'string', default: '' }, 'text/plain', 'text'), 'text'],
  ['a form', body(object({ a: text }, []), 'application/x-www-form-urlencoded', 'form'), { a: 'text' }],
  ['a part in JSON', body(object({ a: object({ b: text }, []) }), 'multipart/form-data', 'form'), { a: {} }],
  [
    'a list in a form',
    body(object({ a: { type: 'array', items: text } }), 'multipart/form-data', 'form'),
    { a: ['text'] },
  ],
])('a place carries its sample: %s', (_, part, sample) => {
  expect(values.first('sent', part)).toEqual(sample);
  expect(exampleOf(schemas, part)).toEqual(sample);
});

const shown = (example: unknown) => ({ ...text, example });

test.each([
  [
    'of a field beside one that does not fit',
    body(object({ id: { ...integer, example: 'x' }, name: shown('Rex') })),
    { id: 1, name: 'Rex' },
  ],
  [
    'of a field of an example that does not fit',
    { ...body(object({ id: integer, name: text })), example: { id: 'x', name: 'Rex' } },
    { id: 1, name: 'Rex' },
  ],
  [
    'of an item of a list beside one that does not fit',
    {
      ...body({ type: 'array', items: object({ id: integer, name: text }) }),
      example: [{ id: 'x', name: 'Rex' }],
    },
    [{ id: 1, name: 'Rex' }],
  ],
  [
    'of a part of an object',
    body({ allOf: [{ ...object({ a: text }), example: { a: 'A' } }, object({ b: shown('B') })] }),
    { a: 'A', b: 'B' },
  ],
  [
    'without what exists in responses only',
    { ...body(object({ id: { ...integer, readOnly: true }, name: text })), example: { id: 7, name: 'Rex' } },
    { name: 'Rex' },
  ],
  [
    'that fits, after one that does not',
    { ...body(integer), examples: { a: { value: 'x' }, b: { value: 7 } } },
    7,
  ],
])('an example is used field by field: %s', (_, part, value) => {
  expect(values.first('sent', part)).toEqual(value);
});

test.each([
  [
    object({ a: object({ b: { type: 'string', maxLength: 3, pattern: '^[a-z]{5}$' } }) }),
    '`/a/b`: maxLength 3 excludes every text that the pattern ^[a-z]{5}$ allows',
  ],
  [
    { type: 'string', minLength: 40, format: 'date' },
    'minLength 40 excludes every text that the format date allows',
  ],
  [{ type: 'integer', minimum: 5, maximum: 3 }, 'minimum 5 with maximum 3 excludes every integer'],
  [object({ a: { allOf: [text, integer] } }), '`/a`: its types exclude each other'],
  [
    { allOf: [{ ...object({ a: text }), additionalProperties: false }, object({ b: text })] },
    '`/b`: additionalProperties: false, or another schema that is false, excludes it',
  ],
  [ref('Endless'), '`/next`: it is of a schema that contains itself without an end'],
  [{ ...text, not: {} }, 'not excludes "text", which must NOT be valid'],
  [
    { type: 'array', uniqueItems: true, minItems: 3, items: { type: 'boolean' } },
    'uniqueItems and minItems 3 excludes every list that can be made',
  ],
])('what excludes every value is named: %j', (schema, why) => {
  expect(values.first('sent', body(schema))).toBeUndefined();
  expect(values.whyNone('sent', body(schema))).toBe(why);
});

test('a value may have the base of one inside it', () => {
  const based = (own: Schema) => ({ allOf: [ref('Entity'), own] });
  const owner = based(object({ name: text, team: based(object({ size: integer })) }));
  const made = { id: 1, name: 'text', team: { id: 1, size: 1 } };
  expect(values.first('sent', body(based(object({ owner }))))).toEqual({ id: 1, owner: made });
});
