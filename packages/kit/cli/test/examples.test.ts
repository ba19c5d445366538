import { contractAjv } from '@contract-kit/core/json';
import { checkExamples } from '../src/rules/example-problems.ts';
import { completed, examplesIn, parseContract, type Kind } from '@contract-kit/core/openapi';
import { hereIn, withExample } from './support/example.ts';

const problemsOf = (text: string) => [...checkExamples(parseContract(text))];

const BOOK = `
      type: object
      required: [id, name, secret]
      properties:
        id: { type: integer, readOnly: true }
        name: { type: string }
        secret: { type: string, writeOnly: true }`;

const SENT = `content:\n  application/json:\n    schema: ${BOOK}\n    example:\n      name: Rex\n      secret: bone`;
const RESPONSE = `description: A book.\n${SENT.replace('secret: bone', 'id: 7')}`;
const WRITTEN = BOOK.replaceAll('\n      ', '\n').trim();

/** Objects with an invalid example, and the message. */
const WRONG: Readonly<Record<string, readonly [Kind, string, string]>> = {
  'a parameter': [
    'Parameter',
    'name: page\nin: query\nschema: { type: integer, minimum: 1 }\nexample: 0 # here',
    'it must be >= 1',
  ],
  'one of several of a parameter': [
    'Parameter',
    'name: page\nin: query\nschema: { type: integer }\nexamples:\n  first: { value: 1 }\n  last:\n    value: z # here',
    'it must be integer',
  ],
  'a header': [
    'Header',
    'schema: { type: string, format: date }\nexample: today # here',
    'it must match format "date"',
  ],
  'a schema': [
    'Schema',
    'type: string\nmaxLength: 2\nexample: Rex # here',
    'it must NOT have more than 2 characters',
  ],
  'a schema that is referred to': [
    'Schema',
    'type: object\nproperties:\n  inner:\n    $ref: "#/components/schemas/Tagged"\n    example: https://library.example # here',
    'it must be object',
  ],
  'one of several of a schema': [
    'Schema',
    'type: integer\nexamples:\n  - 1\n  - x # here',
    'it must be integer',
  ],
  'a body': ['MediaType', SENT.replace('name: Rex', 'name: 7 # here'), 'name must be string'],
  'a body that says what only responses do': [
    'MediaType',
    `${SENT}\n      id: 7 # here`,
    'id is readOnly or writeOnly',
  ],
  'a body with a field that is not declared': [
    'MediaType',
    `${SENT}\n      nam: Rex # here`,
    'nam is not declared',
  ],
  'a response': ['MediaType', RESPONSE.replace('id: 7', 'id: seven # here'), 'id must be integer'],
  'a response that says what only requests do': [
    'MediaType',
    `${RESPONSE}\n      secret: bone # here`,
    'secret is readOnly or writeOnly',
  ],
  'a response that leaves out what is required': [
    'MediaType',
    RESPONSE.replace('example:', 'example: # here').replace('\n      id: 7', ''),
    "it must have required property 'id'",
  ],
};

test.each(Object.entries(WRONG))(
  'an invalid example of %s is reported at its place',
  (_name, [on, example, wrong]) => {
    const text = withExample(on, example);
    expect(problemsOf(text)).toMatchObject([
      { ...hereIn(text), message: `the example does not fit the schema: ${wrong}` },
    ]);
  },
);

test.each([
  ['MediaType', SENT],
  ['MediaType', RESPONSE],
  [
    'Schema',
    `${WRITTEN}\nexamples: [{ name: Rex, secret: bone }, { id: 7, name: Rex }, { id: 7, name: Rex, secret: bone }]`,
  ],
] as const)('an example of a %s must be valid in its direction only', (on, example) => {
  expect(problemsOf(withExample(on, example))).toEqual([]);
});

test.each([
  [
    '{ type: string, minLength: 1000000000 }',
    'minLength 1000000000 is more than the 10000 characters that are made',
  ],
  [
    '{ type: array, items: { type: string }, minItems: 10000000000 }',
    'minItems 10000000000 is more than the 100 items that are made',
  ],
])('requires an example if one would be too large to generate: %s', (schema, why) => {
  const text = withExample('Parameter', `name: page\nin: query\nrequired: true\nschema: ${schema}`);
  expect(problemsOf(text).map(({ message }) => message)).toEqual([`it needs an example: ${why}`]);
});

test.each(Object.keys(contractAjv().formats).filter((format) => !/^(int|float|double)/.test(format)))(
  'a text of the format %s needs no example',
  (format) => {
    const schema = `{ type: string, format: ${format} }`;
    const text = withExample('Parameter', `name: page\nin: query\nrequired: true\nschema: ${schema}`);
    expect(problemsOf(text)).toEqual([]);
  },
);

const OPTIONAL =
  '{ properties: { code: { example: OK }, book: { properties: { id: { type: integer } } }, key: { type: string, writeOnly: true } } }';

test.each([
  ['200: { content: { application/json: { example: 2, schema: { type: integer } } } }', 200, 2],
  ['200: { content: { application/json: { example: two, schema: { type: integer } } } }', 200, 1],
  ['200: { content: { application/json: { schema: { type: integer, example: two } } } }', 200, 1],
  ['404: { description: No. }, default: { content: { text/plain: {} } }', 200, 'text'],
  ['2XX: { description: Done. }', 200, undefined],
  ['default: { description: Done. }', 200, undefined],
  ['404: { description: No. }', 204, undefined],
  [`200: { content: { application/json: { schema: ${OPTIONAL} } } }`, 200, { code: 'OK', book: { id: 1 } }],
  // No valid body has all fields.
  [
    `200: { content: { application/json: { schema: { maxProperties: 1, ${OPTIONAL.slice(1)} } } }`,
    200,
    { code: 'OK' },
  ],
])('the fake responds to an operation that declares { %s } with %p and %p', (responses, status, body) => {
  const text = `openapi: 3.1.0\npaths: { /a: { get: { responses: { ${responses} } } } }`;
  const contract = completed(parseContract(text));
  expect(contract.model.operations.map(examplesIn(contract).of)).toEqual([{ status, body }]);
});
