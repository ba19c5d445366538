import { parseContract, parseSource, problemLines } from '@contract-kit/core/openapi';
import { checkContract, remarksOn } from '../src/rules/check-contract.ts';

/* References of every kind, and names of components that OpenAPI does not allow. */

const head = (version = '3.1.0') => `openapi: ${version}\ninfo: { title: Shop, version: '1' }\n`;
/** The parts of documents that tests look at. */
type Name =
  | (
      | 'components'
      | 'schemas'
      | 'pathItems'
      | 'callbacks'
      | 'paths'
      | '/things'
      | 'get'
      | 'security'
      | 'responses'
    )
  | (
      | '200'
      | 'links'
      | 'webhooks'
      | 'changed'
      | 'things'
      | 'properties'
      | 'discriminator'
      | 'mapping'
      | 'items'
    )
  | (
      | 'User'
      | 'All'
      | 'Base_x'
      | 'Done'
      | 'Cat'
      | 'dog'
      | 'Tree'
      | 'A'
      | 'a'
      | 'b'
      | 'children'
      | 'a_b'
      | 'type'
    );
type Part = { readonly [Key in Name]: Part } & { readonly $ref: string };

const PATHS = `paths:
  /things:
    get:
      operationId: listThings
      responses: { '204': { description: Done. } }
`;

function read(text: string, others: Readonly<Record<string, string>> = {}) {
  const contract = parseContract(text, (file) => {
    const other = others[file];
    if (other === undefined) throw new Error('there is no such file: add it, or correct the path');
    return parseSource(other, file);
  });
  return {
    document: contract.document as Part,
    contract,
    problems: problemLines([...contract.problems, ...checkContract(contract)]),
    remarks: problemLines(remarksOn(contract)),
  };
}

/** A schema that responses, parameters and bodies refer to as `reference`. */
const withSchema = (name: string, schema = '{ type: string }') =>
  `${head()}${PATHS}components: { schemas: { ${JSON.stringify(name)}: ${schema} } }\n`;

test.each([
  ['Größe', 'Groesse', '#/components/schemas/Größe'],
  ['Größe', 'Groesse', '#/components/schemas/Gr%C3%B6%C3%9Fe'],
  ['a b', 'a_b', '#/components/schemas/a b'],
  ['A+B', 'A_B', '#/components/schemas/A+B'],
  ['Page«A»', 'Page_A', '#/components/schemas/Page%C2%ABA%C2%BB'],
  ['List`1', 'List_1', '#/components/schemas/List`1'],
  ['Crème', 'Creme', '#/components/schemas/Crème'],
  ['名前', 'schema', '#/components/schemas/名前'],
  ["O'K", 'O_K', "#/components/schemas/O'K"],
  ['A/B', 'A_B', '#/components/schemas/A~1B'],
  ['A/B', 'A_B', '#/components/schemas/A%7E1B'],
  ['A/B', 'A_B', '#/components/schemas/A%2FB'],
  ['A~B', 'A_B', '#/components/schemas/A~0B'],
  ['A,B', 'A_B', '#/components/schemas/A,B'],
  ['100%', '100', '#/components/schemas/100%'],
  ['a%20b', 'a_20b', '#/components/schemas/a%2520b'],
  ['a%20b', 'a_20b', '#/components/schemas/a%20b'],
  ['C#', 'C', '#/components/schemas/C#'],
  ['', 'schema', '#/components/schemas/'],
  ['__proto__', '__proto___', '#/components/schemas/__proto__'],
  ['constructor', 'constructor_', '#/components/schemas/constructor'],
  ['toString', 'toString_', '#/components/schemas/toString'],
  ['Loan.v-1_x', 'Loan.v-1_x', '#/components/schemas/Loan.v-1_x'],
])('a schema called %j is called %s, also where it is %s', (name, called, reference) => {
  const user = `{ type: object, properties: { a: { $ref: ${JSON.stringify(reference)} } } }`;
  const text = withSchema(name).replace('schemas: { ', `schemas: { User: ${user}, `);
  const { document, problems, remarks } = read(text);
  expect(problems).toEqual([]);
  expect(document.components.schemas[called as Name]).toEqual({ type: 'string' });
  expect(document.components.schemas.User.properties.a.$ref).toBe(`#/components/schemas/${called}`);
  expect(remarks).toEqual(
    name === called
      ? []
      : [expect.stringMatching(/^openapi.yaml:8:\d+: .* is called .* here; rename it to choose another$/)],
  );
});

test.each([
  ['#/paths', 'paths'],
  ['#/components/schemas', 'all schemas'],
  ['#/components', 'components'],
  ['#/paths/~1things/get', 'an operation'],
  ['#/paths/~1things/get/responses', 'responses'],
  ['#/info', 'info'],
])('a reference to %s is no schema, and says so', (reference, called) => {
  const { problems } = read(withSchema('Loan', `{ properties: { a: { $ref: '${reference}' } } }`));
  expect(problems).toEqual([
    expect.stringContaining(
      `the reference cannot be followed (${reference}): it leads to ${called}, where a schema is wanted`,
    ),
  ]);
});

test.each(['#/x-schemas/Loan', '#/components/x-schemas/Loan', '#/paths/~1things/get/x-schema'])(
  'a reference to an extension, %s, is one to whatever is there',
  (reference) => {
    const extension = 'x-schemas: { Loan: { type: string } }';
    const text = withSchema('User', `{ properties: { a: { $ref: '${reference}' } } }`)
      .replace('components: { ', `${extension}\ncomponents: { ${extension}, `)
      .replace('operationId:', 'x-schema: { type: string }\n      operationId:');
    expect(read(text).problems).toEqual([]);
  },
);

test('names that become the same are told apart, and one that is allowed keeps its own', () => {
  const { document } = read(
    `${head()}${PATHS}components:
  schemas:
    a b: { type: string }
    a+b: { type: integer }
    a_b: { type: boolean }
    All: { properties: { a: { $ref: '#/components/schemas/a b' }, b: { $ref: '#/components/schemas/a+b' }, c: { $ref: '#/components/schemas/a_b' }, d: { $ref: 'parts.yaml#/a b' } } }
`,
    { 'parts.yaml': 'a b: { type: number }\n' },
  );
  const { schemas } = document.components;
  const typeOf = (property: string) =>
    schemas[schemas.All.properties[property as Name].$ref.split('/').at(-1) as Name].type;
  expect(['a', 'b', 'c', 'd'].map(typeOf)).toEqual(['string', 'integer', 'boolean', 'number']);
  expect(schemas.a_b.type).toBe('boolean');
});

test('a mistake in a component that is renamed, or in a part of it, is at its place', () => {
  const { problems } = read(
    withSchema(
      'a b',
      "{ properties: { x: { type: text }, y: { $ref: '#/components/schemas/a b/properties/z' } } }",
    ),
  );
  expect(problems).toEqual([
    expect.stringMatching(/^openapi.yaml:8:\d+: the reference cannot be followed/),
    expect.stringMatching(/^openapi.yaml:8:\d+: type must be one of/),
  ]);
});

test('components of every section are renamed with all that names them', () => {
  const { document, problems } = read(`${head()}security: [{ my key: [] }]
paths:
  /things:
    get:
      operationId: listThings
      security: [{ my key: [] }]
      parameters: [{ $ref: '#/components/parameters/a b' }]
      requestBody: { $ref: '#/components/requestBodies/a b' }
      responses:
        '200': { $ref: '#/components/responses/a b' }
      callbacks: { done: { $ref: '#/components/callbacks/a b' } }
  /others: { $ref: '#/components/pathItems/a b' }
webhooks:
  changed: { $ref: '#/components/pathItems/a b' }
components:
  securitySchemes: { my key: { type: http, scheme: bearer } }
  parameters: { a b: { name: q, in: query, schema: { type: string } } }
  requestBodies: { a b: { content: { application/json: { schema: { type: string } } } } }
  headers: { a b: { schema: { type: string } } }
  examples: { a b: { value: x } }
  links: { a b: { operationId: listThings } }
  callbacks: { a b: { '{$url}': { $ref: '#/components/pathItems/a b' } } }
  pathItems: { a b: { post: { operationId: addOther, responses: { '204': { description: Done. } } } } }
  responses:
    a b:
      description: Done.
      headers: { X-A: { $ref: '#/components/headers/a b' } }
      links: { next: { $ref: '#/components/links/a b' } }
      content: { application/json: { schema: { type: string }, examples: { one: { $ref: '#/components/examples/a b' } } } }
`);
  expect(problems).toEqual([]);
  expect(JSON.stringify(document)).not.toContain('a b');
  expect(document.security).toEqual([{ my_key: [] }]);
  expect(document.paths['/things'].get.security).toEqual([{ my_key: [] }]);
  for (const [section, components] of Object.entries<object>(
    document.components as object as Record<string, object>,
  ))
    expect([section, Object.keys(components)]).toEqual([
      section,
      [section === 'securitySchemes' ? 'my_key' : 'a_b'],
    ]);
});

const CAT = '{ type: object, required: [kind], properties: { kind: { type: string } } }';

test.each([
  ['has none', '', { 'a b': 'a_b' }],
  ['names it', ", mapping: { x: 'a b' }", { x: 'a_b' }],
  ['refers to it', ", mapping: { x: '#/components/schemas/a b' }", { x: 'a_b' }],
])('the tag of a schema that is renamed stays: the mapping %s', (_what, mapping, mapped) => {
  const union = `{ oneOf: [{ $ref: '#/components/schemas/a b' }, { $ref: '#/components/schemas/Dog' }], discriminator: { propertyName: kind${mapping} } }`;
  const { document } = read(
    `${head()}${PATHS}components: { schemas: { a b: ${CAT}, Dog: ${CAT}, All: ${union} } }\n`,
  );
  expect(document.components.schemas.All.discriminator.mapping).toEqual(
    Object.fromEntries(Object.entries(mapped).map(([tag, name]) => [tag, `#/components/schemas/${name}`])),
  );
});

test('the tags of schemas that extend a base stay, and those of another file', () => {
  const { document } = read(
    `${head()}${PATHS}components:
  schemas:
    Base x: { type: object, required: [kind], properties: { kind: { type: string } }, discriminator: { propertyName: kind } }
    Sub 1: { allOf: [{ $ref: '#/components/schemas/Base x' }] }
    Cat: ${CAT}
    All: { $ref: parts.yaml#/All }
`,
    {
      'parts.yaml': `All: { oneOf: [{ $ref: '#/Cat' }, { $ref: '#/Dog 1' }], discriminator: { propertyName: kind, mapping: { d: Dog 1 } } }
Cat: ${CAT}
Dog 1: ${CAT}
`,
    },
  );
  const { All, Base_x } = document.components.schemas;
  expect(Base_x.discriminator.mapping).toEqual({
    'Base x': '#/components/schemas/Base_x',
    'Sub 1': '#/components/schemas/Sub_1',
  });
  expect(All.discriminator.mapping).toEqual({
    d: '#/components/schemas/Dog_1',
    Cat: '#/components/schemas/Cat2',
  });
});

test('callbacks, webhooks and links lead to components, from files in folders too', () => {
  const { document, problems, remarks } = read(
    `${head()}paths: { /things: { $ref: paths/things.yaml } }
webhooks: { changed: { $ref: paths/changed.yaml } }
`,
    {
      'paths/things.yaml': `get:
  operationId: listThings
  responses: { '200': { description: Done., links: { next: { $ref: 'parts/all.yaml#/Next' }, self: { operationRef: '#/get' }, gone: { operationRef: 'changed.yaml#/post' } } } }
  callbacks: { done: { $ref: 'parts/all.yaml#/Done' }, here: { '{$url}': { $ref: changed.yaml } }, none: { $ref: none.yaml } }
`,
      'paths/changed.yaml':
        "post: { requestBody: { $ref: 'parts/all.yaml#/Body' }, responses: { '204': { description: Done. } } }\n",
      'paths/parts/all.yaml': `Next: { operationId: listThings, server: { url: /v1 } }
Done: { '{$url}': { $ref: ../changed.yaml } }
Body: { content: { application/json: { schema: { $ref: ../schemas/thing.yaml } } } }
`,
      'paths/schemas/thing.yaml': 'type: string\n',
    },
  );
  expect(problems).toEqual([]);
  const item = {
    post: {
      requestBody: { $ref: '#/components/requestBodies/Body' },
      responses: { 204: { description: 'Done.' } },
    },
  };
  expect(document.webhooks.changed).toEqual(item);
  const { get } = document.components.pathItems.things;
  expect(get.responses['200'].links).toEqual({
    next: { $ref: '#/components/links/Next' },
    self: { operationRef: '#/paths/~1things/get' },
  });
  expect(get.callbacks).toEqual({ done: { $ref: '#/components/callbacks/Done' }, here: { '{$url}': item } });
  expect(document.components.callbacks.Done).toEqual({ '{$url}': item });
  expect(remarks.filter((remark) => !remark.includes('are documentation'))).toEqual([
    expect.stringMatching(/^paths\/things.yaml:4:\d+: what the reference leads to is left out.*none.yaml/),
    expect.stringMatching(/^paths\/things.yaml:3:\d+: operationRef is left out/),
  ]);
});

test('what documents may be in another file, and is data where it is a value', () => {
  const { document, problems, remarks } = read(
    `openapi: 3.1.0
info: { title: Shop, version: '1', description: { $ref: 'texts.yaml#/about' }, license: { $ref: 'texts.yaml#/license' } }
tags: [{ name: a, description: { $ref: 'texts.yaml#/a' }, externalDocs: { $ref: 'texts.yaml#/more' } }]
servers: [{ $ref: 'texts.yaml#/server' }]
x-groups: { $ref: 'texts.yaml#/groups' }
x-own: { $ref: '#/components/schemas/Thing' }
x-none: { $ref: '#/nowhere' }
x-example: { $ref: 'texts.yaml#/a' }
${PATHS}components:
  schemas:
    Thing: { type: object, properties: { a: {} }, example: { $ref: 'a', $id: 'b' }, x-source: { file: { $ref: 'texts.yaml#/more' } }, odd: [{ $ref: 'texts.yaml#/a' }] }
    Only: { enum: [{ $ref: 'a' }], default: { $ref: 'a' } }
`,
    {
      'texts.yaml':
        "about: 'A: *shop*'\nlicense: { name: MIT }\na: About a\nmore: { url: 'https://a.example' }\nserver: { url: /v1 }\ngroups: [{ own: { $ref: '#/more' } }]\n",
    },
  );
  expect(problems).toEqual([]);
  expect(document).toMatchObject({
    info: { description: 'A: *shop*', license: { name: 'MIT' } },
    tags: [{ description: 'About a', externalDocs: { url: 'https://a.example' } }],
    servers: [{ url: '/v1' }],
    'x-groups': [{ own: { url: 'https://a.example' } }],
    'x-own': { $ref: '#/components/schemas/Thing' },
    'x-example': { $ref: 'texts.yaml#/a' },
    components: {
      schemas: {
        Thing: {
          example: { $ref: 'a', $id: 'b' },
          'x-source': { file: { url: 'https://a.example' } },
          odd: ['About a'],
        },
        Only: { enum: [{ $ref: 'a' }], default: { $ref: 'a' } },
      },
    },
  });
  expect(document).not.toHaveProperty('x-none');
  expect(remarks).toContainEqual(
    expect.stringMatching(/^openapi.yaml:7:\d+: what the reference leads to is left out/),
  );
});

/** The reference of the property `a` of a schema, beside others. */
function referenceOf(reference: string, schemas: string, others: Readonly<Record<string, string>> = {}) {
  const user = `User: { properties: { a: { $ref: ${JSON.stringify(reference)} } } }`;
  const { document, problems } = read(
    `${head()}${PATHS}components:\n  schemas:\n    ${user}\n    ${schemas}\n`,
    others,
  );
  return { problems, leadsTo: document.components.schemas.User.properties.a.$ref, document };
}

test.each([
  ['an $id', 'https://s.example/cat', 'Cat: { $id: https://s.example/cat }', 'Cat'],
  ['a relative $id', 'cat.json', 'Cat: { $id: cat.json }', 'Cat'],
  ['an $id that is a name', 'urn:x:cat', "Cat: { $id: 'urn:x:cat' }", 'Cat'],
  [
    'a part of one',
    'https://s.example/cat#/$defs/Name',
    'Cat: { $id: https://s.example/cat, $defs: { Name: {} } }',
    'defs_Name',
  ],
  ['an $anchor', '#cat', 'Cat: { $anchor: cat }', 'Cat'],
  ['a $dynamicAnchor', '#cat', 'Cat: { $dynamicAnchor: cat }', 'Cat'],
  [
    'an $anchor below an $id',
    'https://s.example/a#cat',
    'A: { $id: https://s.example/a, properties: { b: { $anchor: cat } } }',
    'properties_b',
  ],
])('a reference may name %s: %s', (_what, reference, schemas, name) => {
  expect(referenceOf(reference, schemas)).toMatchObject({
    problems: [],
    leadsTo: `#/components/schemas/${name}`,
  });
});

test('references below an $id are relative to it, in other files too, and the published document has none', () => {
  const { document, problems } = referenceOf(
    'https://s.example/animals/dog.json',
    `Cat: { $id: https://s.example/cat.json, properties: { self: { $ref: '#' }, dog: { $ref: animals/dog.json }, leg: { $ref: 'animals/dog.json#leg' }, file: { $ref: files/dog.yaml } } }`,
    {
      'files/dog.yaml':
        "$id: https://s.example/animals/dog.json\nproperties: { leg: { $anchor: leg, type: string }, own: { $ref: '#/properties/leg' }, cat: { $ref: ../cat.json }, near: { $ref: near.yaml } }\n",
      'files/near.yaml': 'type: integer\n',
    },
  );
  expect(problems).toEqual([]);
  const at = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const { schemas } = document.components;
  expect(schemas.Cat.properties).toEqual({
    self: at('Cat'),
    dog: at('dog'),
    leg: at('leg'),
    file: at('dog'),
  });
  expect(schemas.dog.properties).toMatchObject({ own: at('leg'), cat: at('Cat'), near: at('near') });
  expect(JSON.stringify(document)).not.toMatch(/\$id|\$anchor/);
});

test('a $dynamicRef is a reference if one schema has its anchor', () => {
  const tree =
    "Tree: { $dynamicAnchor: node, properties: { children: { items: { $dynamicRef: '#node' } } } }";
  const { document, problems } = referenceOf('#node', tree);
  expect(problems).toEqual([]);
  expect(document.components.schemas.Tree.properties.children.items).toEqual({
    $ref: '#/components/schemas/Tree',
  });
  const { problems: refused } = referenceOf(
    '#node',
    `${tree}\n    Strict: { $id: strict, $dynamicAnchor: node }`,
  );
  expect(refused).toEqual([
    expect.stringMatching(
      /^openapi.yaml:11:\d+: several schemas have the \$dynamicAnchor of #node \(11:\d+, 12:\d+\)/,
    ),
  ]);
});

test.each([
  [
    'the same $id',
    '$id: a',
    /^openapi.yaml:12:\d+: the \$id a is that of another schema, too \(11:\d+\): change one$/,
  ],
  [
    'the same $anchor',
    '$anchor: a',
    /^openapi.yaml:12:\d+: the anchor a is that of another schema, too \(11:\d+\)/,
  ],
])('two schemas with %s are refused with both places', (_what, field, message) => {
  const { problems } = read(
    `${head()}${PATHS}components:\n  schemas:\n    User: {}\n    One: { ${field} }\n    Two: { ${field} }\n`,
  );
  expect(problems).toEqual([expect.stringMatching(message)]);
});

test.each([
  ['#Cat', /no schema there has the \$anchor Cat: add it, or write a path/],
  ['#/components/schemas/Pte', /there is no such component: add it, or correct the name/],
  ['#/components/schemas/%ZZ', /there is no such component/],
  ['#/components/schemas/toString', /there is no such component/],
  ['#/info/title', /it leads to nothing/],
  ['https://s.example/none', /nothing is fetched from the network/],
  ['none.yaml#/A', /there is no such file/],
])('a reference that leads to nothing has its place and a remedy: %s', (reference, message) => {
  const { problems } = referenceOf(reference, 'Cat: {}');
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/^openapi.yaml:10:\d+: the reference cannot be followed/);
  expect(problems[0]).toMatch(message);
});

test('#/… in another file is a part of the contract if the file has no such part, with a remark', () => {
  const { document, problems, remarks } = read(
    `${head()}${PATHS}components: { schemas: { A: { $ref: 'parts/a.yaml#/A' }, B: { type: string } } }\n`,
    { 'parts/a.yaml': "A: { properties: { b: { $ref: '#/components/schemas/B' } } }\n" },
  );
  expect(problems).toEqual([]);
  expect(document.components.schemas.A.properties.b).toEqual({ $ref: '#/components/schemas/B' });
  expect(remarks).toContainEqual(
    expect.stringMatching(
      /^parts\/a.yaml:1:\d+: parts\/a.yaml has no such part, so that of the contract is meant: write/,
    ),
  );
});

test.each([
  'description: { $ref: gone.md }',
  "title: { $ref: '#/texts/gone' }",
  'examples: { $ref: gone.yaml }',
])('%s that leads to nothing is left out, with a remark at its place', (field) => {
  const { problems, remarks } = read(withSchema('Loan', `{ type: string, ${field} }`));
  expect(problems).toEqual([]);
  expect(remarks).toEqual([
    expect.stringMatching(/^openapi.yaml:8:\d+: what the reference leads to is left out, because it cannot/),
  ]);
});

test('an example of another place that is gone is left out', () => {
  const media = "{ schema: { type: string }, examples: { one: { $ref: '#/components/examples/gone' } } }";
  const text = `${head()}${PATHS}`.replace(
    "'204': { description: Done. }",
    `'200': { description: Done., content: { application/json: ${media} } }`,
  );
  const { problems, remarks } = read(text);
  expect(problems).toEqual([]);
  expect(remarks).toEqual([
    expect.stringMatching(/^openapi.yaml:7:\d+: what the reference leads to is left out/),
  ]);
});

test('what is read as JSON has its remarks where it was written', () => {
  const content = 'content: { schema: { type: object, description: 1.0 } }';
  const text = `${head()}${PATHS}`.replace(
    "'204': { description: Done. }",
    `'200': { description: Done., ${content} }`,
  );
  const { document, remarks } = read(text);
  const column = (text.split('\n')[6] ?? '').indexOf('1.0') + 1;
  expect(remarks).toContainEqual(
    expect.stringMatching(new RegExp(`^openapi.yaml:7:${column}: .*: it is read as "1.0"$`)),
  );
  expect(JSON.stringify(document)).toContain('"description":"1.0"');
});
