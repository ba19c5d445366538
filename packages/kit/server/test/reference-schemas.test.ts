import { readModel } from '@contract-kit/core/model';
import { contractFrom } from '@contract-kit/test-support/contracts';
import { renderPage } from '../src/docs/html/page.ts';
import { renderMarkdown } from '../src/docs/markdown/page.ts';
import { servedAt } from '../src/docs/served.ts';

/** The page and the Markdown of a contract with these components, and operations by their paths. */
function pagesOf(schemas: object, paths: object = {}) {
  const document = {
    openapi: '3.2.0',
    info: { title: 'Shop', version: '1' },
    paths,
    components: { schemas },
  };
  const contract = contractFrom(JSON.stringify(document));
  const served = servedAt({ contract, model: readModel(contract.document) }, { url: 'https://shop.example' });
  return { page: renderPage(served), markdown: renderMarkdown(served) };
}

/** What the Markdown says of a component. */
function sectionOf(name: string, schemas: object): string {
  const { markdown } = pagesOf(schemas);
  return (
    markdown
      .split(`\n### ${name}\n\n`)
      .at(-1)
      ?.split(/\n### /)[0]
      ?.trim() ?? ''
  );
}

/** What it says of a field, in its row. */
const rowOf = (field: object) =>
  /\| `it`(.*) \|/.exec(sectionOf('Thing', { Thing: { type: 'object', properties: { it: field } } }))?.[1];

const post = (content: object, responses: object = { 204: { description: 'Done.' } }) => ({
  '/parcels': { post: { operationId: 'parcel', requestBody: { required: true, content }, responses } },
});
/** What the Markdown says of the body of a request. */
function bodyOf(schema: object, schemas: object = {}): string {
  const { markdown } = pagesOf(schemas, post({ 'application/json': { schema } }));
  return /Body:\n\n([\s\S]*?)\n\nResponses:/.exec(markdown)?.[1] ?? '';
}

const text = { type: 'string' };
const Card = { type: 'object', required: ['kind', 'number'], properties: { kind: text, number: text } };
const Invoice = { type: 'object', required: ['kind'], properties: { kind: text, email: text } };
const union = [{ $ref: '#/components/schemas/Card' }, { $ref: '#/components/schemas/Invoice' }];
const tagged = {
  oneOf: union,
  discriminator: { propertyName: 'kind', mapping: { card: 'Card', visa: 'Card' } },
};

describe('alternatives stand apart', () => {
  test('in a body, each with its fields, its required ones and the values of its tag', () => {
    expect(bodyOf(tagged, { Card, Invoice })).toBe(`Required, \`application/json\`: one of Card or Invoice.

One of, by \`kind\`:

- **Card if \`kind\` is \`card\` or \`visa\`**

  | Field | Type and meaning |
  | --- | --- |
  | \`kind\` *required* | string |
  | \`number\` *required* | string |

- **Invoice if \`kind\` is \`Invoice\`**

  | Field | Type and meaning |
  | --- | --- |
  | \`kind\` *required* | string |
  | \`email\` | string |`);
  });

  test('in a field that has them inline, under its path', () => {
    const pay = {
      oneOf: [
        { title: 'By card', ...Card },
        { required: ['iban'], properties: { iban: text } },
      ],
    };
    const body = bodyOf({ type: 'object', properties: { pay: { description: 'How.', ...pay } } });
    expect(body).toContain('| `pay` | one of By card or object. How. |');
    expect(body).toContain('`pay` is one of:\n\n- **By card**');
    expect(body).toContain('| `pay.number` *required* | string |');
    expect(body).toMatch(/- \*\*object\*\*\n\n.*\n.*\n {2}\| `pay.iban` \*required\* \| string \|/);
  });

  test('in the items of a list and the values of a map', () => {
    const anyOf = [Card, { type: 'string', maxLength: 3 }];
    expect(bodyOf({ type: 'array', items: { anyOf } })).toContain('Each item is any of:');
    const inner = bodyOf({
      type: 'object',
      properties: { list: { type: 'array', items: { anyOf } }, by: { additionalProperties: { anyOf } } },
    });
    expect(inner).toContain('`list[]` is any of:');
    expect(inner).toContain('`by.*` is any of:');
    expect(inner).toContain('- **string**. At most `3` characters.');
  });

  test('with the fields that all have, once, and those that each requires', () => {
    const body = bodyOf({
      type: 'object',
      properties: { mail: text, phone: text },
      anyOf: [{ required: ['mail'] }, { required: ['phone'] }],
    });
    expect(body).toContain('- **Alternative 1**. Required: `mail`.\n- **Alternative 2**. Required: `phone`.');
    expect(body.split('| `mail` |')).toHaveLength(2);
  });

  test('as links where the type of a field or a named schema says all', () => {
    const Payment = tagged;
    expect(sectionOf('Payment', { Card, Invoice, Payment })).toBe(
      'one of Card or Invoice.\n\nOne of, by `kind`:\n\n- **Card if `kind` is `card` or `visa`**\n- **Invoice if `kind` is `Invoice`**',
    );
    expect(rowOf({ anyOf: [text, { type: 'integer' }, { type: 'null' }] })).toBe(
      ' | any of string, integer or null',
    );
  });

  test('of a base, by the tags of what extends it', () => {
    const Plant = {
      type: 'object',
      required: ['kind'],
      properties: { kind: text },
      discriminator: { propertyName: 'kind' },
    };
    const Dog = {
      allOf: [
        { $ref: '#/components/schemas/Plant' },
        { required: ['barks'], properties: { barks: { type: 'boolean' } } },
      ],
    };
    const body = bodyOf({ $ref: '#/components/schemas/Plant' }, { Plant, Dog });
    expect(body).toContain('`kind` is `Dog` or `Plant`.');
    expect(body).toContain('More fields, by `kind`:\n\n- **Dog if `kind` is `Dog`**');
    expect(body).toContain('| `barks` *required* | boolean |');
    expect(sectionOf('Dog', { Plant, Dog })).toMatch(
      /^Plant with more fields. `kind` is `Dog`.[\s\S]*`kind` \*required\*/,
    );
  });
});

test('what is under a condition says when', () => {
  const section = sectionOf('Place', {
    Place: {
      type: 'object',
      properties: { kind: text, street: text, card: text },
      if: { properties: { kind: { const: 'home' } }, required: ['kind'] },
      then: { required: ['street'], properties: { floor: { type: 'integer' } } },
      else: { not: { required: ['street'] } },
      dependentRequired: { card: ['street'] },
      dependentSchemas: { card: { properties: { limit: { type: 'integer' } } } },
    },
  });
  expect(section).toContain('With `card`, required: `street`.');
  expect(section).toMatch(/\*\*If `kind` is `home`\*\*. Required: `street`.[\s\S]*`floor` \| integer/);
  expect(section).toContain('- **Otherwise**. Not allowed if `street` is present.');
  expect(section).toMatch(/\*\*If `card` is present\*\*[\s\S]*`limit` \| integer/);
});

test.each([
  ['a text that is always the same', { const: 'card' }, 'string. Always `card`.'],
  ['null, always', { const: null }, 'null. Always `null`.'],
  ['an object, always', { const: { a: [1] } }, 'object. Always `{"a":[1]}`.'],
  [
    'values with null',
    { type: ['string', 'null'], enum: ['a', null] },
    'string or null. One of `a`, `null`.',
  ],
  ['values of several types', { enum: ['1', 1] }, 'string or number. One of `"1"`, `1`.'],
  ['an empty value', { enum: ['', 'a'] }, 'string. One of `""`, `a`.'],
  [
    'what each value means',
    { enum: ['a'], 'x-enum-descriptions': { a: 'First' } },
    'string. One of `a` (First).',
  ],
  [
    'a map',
    { type: 'object', additionalProperties: { type: 'string', maxLength: 3 } },
    'map of string. Each: At most `3` characters.',
  ],
  [
    'names of fields',
    { type: 'object', propertyNames: { pattern: '^a' } },
    'object. Each name: it matches `^a`.',
  ],
  ['no other fields', { type: 'object', additionalProperties: false }, 'object. No other fields.'],
  [
    'what is in a list',
    { type: 'array', items: text, contains: { const: 'x' }, maxContains: 2 },
    'list of string. At least `1` and at most `2` items where it is `x`.',
  ],
  [
    'what is excluded',
    { type: 'string', not: { enum: ['a', 'b'] } },
    'string. Not allowed if it is `a` or `b`.',
  ],
  [
    'an excluded schema that has no words',
    { not: { contains: true } },
    'anything. Not allowed if it fits `{"contains":true}`.',
  ],
  [
    'what a text contains',
    { type: 'string', contentMediaType: 'image/png', contentEncoding: 'base64' },
    'string. Encoded as `base64`. Its content is `image/png`.',
  ],
  [
    'how XML has it',
    { type: 'string', xml: { attribute: true, name: 'no' } },
    'string. In XML: attribute, named `no`.',
  ],
  [
    'where it is from',
    { $ref: '#/components/schemas/Thing', description: 'Before.', deprecated: true },
    'Thing. Before. **Deprecated.**',
  ],
  [
    'a part with more limits',
    { allOf: [text, { minLength: 1 }, { minLength: 2 }] },
    'string. At least `1` character. At least `2` characters.',
  ],
  ['a field that may not be', false, 'not allowed'],
])('a row says %s', (_what, field, words) => {
  expect(rowOf(field as object)).toBe(` | ${words}`);
});

test('fields of other names, and the items of a tuple, have rows', () => {
  const section = sectionOf('Thing', {
    Thing: {
      type: 'object',
      properties: {
        pair: { type: 'array', prefixItems: [{ type: 'number', description: 'North.' }, text], items: false },
        row: { type: 'array', prefixItems: [text], unevaluatedItems: { type: 'integer', minimum: 2 } },
      },
      patternProperties: { '^x-': { type: 'string', maxLength: 9 } },
      additionalProperties: { type: 'integer', minimum: 1 },
    },
  });
  for (const row of [
    '| `pair` | list of number, then string. No further items. |',
    '| `pair[0]` | item 1: number. North. |',
    '| `row` | list of string, then any number of integer |',
    '| `row[]` | each further item: integer. At least `2`. |',
    '| `/^x-/` | each field of such a name: string. At most `9` characters. |',
    '| `*` | each other field: integer. At least `1`. |',
  ])
    expect(section).toContain(row);
});

test('a schema that leads back to itself is a link', () => {
  const items = { $ref: '#/components/schemas/Json' };
  const Json = {
    anyOf: [
      { type: ['string', 'null'] },
      { type: 'array', items },
      { type: 'object', additionalProperties: items },
    ],
  };
  const One = {
    type: 'object',
    properties: {
      two: { $ref: '#/components/schemas/Two' },
      all: { type: 'array', items: { allOf: [{ $ref: '#/components/schemas/One' }] } },
    },
  };
  const Two = {
    oneOf: [
      { $ref: '#/components/schemas/One' },
      { type: 'array', items: { $ref: '#/components/schemas/Two' } },
    ],
  };
  const { page } = pagesOf(
    { Json, One, Two },
    post(
      { 'application/json': { schema: items } },
      {
        200: {
          description: 'Two.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Two' } } },
        },
      },
    ),
  );
  expect(page).toContain('any of: string or null; list of <a href="#schema-Json">Json</a>; map of');
  expect(page).toContain('list of <a href="#schema-One">One</a>');
});

test('names that every object of JavaScript has are names as others', () => {
  const fields =
    '{"__proto__":{"type":"string"},"toString":{"type":"string"},"constructor":{"type":"integer"}}';
  const schema = JSON.parse(
    `{"type":"object","required":["toString","valueOf"],"properties":${fields}}`,
  ) as object;
  const body = bodyOf(schema, { constructor: { $ref: '#/components/schemas/toString' }, toString: text });
  for (const row of [
    '`__proto__` | string',
    '`toString` *required* | string',
    '`valueOf` *required* | anything',
    '`constructor` | integer',
  ])
    expect(body).toContain(`| ${row} |`);
});

test('parameters and headers that are objects have the rows of their fields, and how they are written', () => {
  const schema = {
    type: 'object',
    required: ['name'],
    properties: { name: text, size: { type: 'integer', minimum: 2 } },
  };
  const { markdown } = pagesOf(
    {},
    {
      '/parcels': {
        get: {
          parameters: [
            { name: 'filter', in: 'query', style: 'deepObject', schema },
            {
              name: 'ids',
              in: 'query',
              style: 'pipeDelimited',
              explode: false,
              schema: { type: 'array', items: text },
            },
            { name: 'page', in: 'query', content: { 'application/json': { schema } } },
            {
              name: 'sort',
              in: 'query',
              schema: text,
              examples: { a: { summary: 'Newest', value: '-at' }, b: { value: 'at' } },
            },
          ],
          responses: { 204: { description: 'Done.', headers: { 'X-Box': { schema } } } },
        },
      },
    },
  );
  for (const row of [
    '`filter` | object in query. Written as `filter[name]=a&filter[size]=b`.',
    '`filter.name` *required* | string',
    '`filter.size` | integer. At least `2`.',
    '`ids` | list of string in query. Written as `ids=a%7Cb`.',
    '`page` | object in query. Written as `application/json`.',
    '`page.name` *required* | string',
    '`sort` | string in query. Examples: `-at` (Newest), `at`.',
    '`X-Box.size` | integer. At least `2`.',
  ])
    expect(markdown).toContain(`| ${row} |`);
});

test('the fields of forms say as what they are sent', () => {
  const properties = { photo: { type: 'string', format: 'binary' }, tags: { type: 'array', items: text } };
  const schema = { type: 'object', properties };
  const { markdown } = pagesOf(
    {},
    post({
      'multipart/form-data': { schema, encoding: { photo: { contentType: 'image/png, image/jpeg' } } },
      'application/x-www-form-urlencoded': {
        schema: { type: 'object', properties: { tags: properties.tags } },
        encoding: { tags: { style: 'spaceDelimited', explode: false } },
        examples: { two: { value: { tags: ['a', 'b c'] } }, three: { value: { tags: ['a', 'b'] } } },
      },
    }),
  );
  expect(markdown).toContain('| `photo` | string (binary). Sent as `image/png` or `image/jpeg`. |');
  expect(markdown).toContain('| `tags` | list of string. Written as `tags=a%20b`. |');
  expect(markdown).toContain('three:\n\n```\ntags=a%20b\n```');
});

test('every named example of a body can be chosen, and stands in the Markdown', () => {
  const examples = {
    small: { summary: 'A small one', description: 'The **usual** one.', dataValue: { size: 1 } },
    text: { serializedValue: '{ "size": 2 }' },
    far: { externalValue: 'https://shop.example/far.json' },
  };
  const content = {
    'application/json': { schema: { type: 'object', properties: { size: { type: 'integer' } } }, examples },
  };
  const { page, markdown } = pagesOf({}, post(content, { 200: { description: 'The same.', content } }));
  for (const part of ['A small one', 'text', 'far']) {
    expect(page.split(`<summary>${part}</summary>`)).toHaveLength(3);
    expect(markdown).toContain(`, ${part}:`);
  }
  expect(page).toContain('<p>The <strong>usual</strong> one.</p>');
  expect(page).toContain('<a href="https://shop.example/far.json">');
  expect(markdown).toContain('{ "size": 2 }');
  expect(markdown).toContain('```json\n{\n  "size": 1\n}\n```');
});
