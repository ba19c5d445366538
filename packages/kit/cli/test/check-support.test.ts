import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { checkContract, houseRules } from '../src/rules/check-contract.ts';
import { fillContract } from '../src/fill/fill-contract.ts';
import {
  ContractError,
  parseContract,
  type Problem,
  GRAMMAR,
  type Kind,
  walk,
} from '@contract-kit/core/openapi';
import { checkIgnored, checkSupport, ruleMessage, ruleGroups } from '../src/support/check-support.ts';
import { hereIn, withExample } from './support/example.ts';

/** The findings for the contract `text`. */
function problemsOf(text: string): readonly Problem[] {
  try {
    const contract = parseContract(text);
    return [...contract.problems, ...checkSupport(contract), ...checkIgnored(contract)];
  } catch (error) {
    if (error instanceof ContractError) return error.problems;
    throw error;
  }
}

const rules = Object.values(ruleGroups).flat();

test.each(rules.map((rule) => [ruleMessage(rule), rule] as const))(
  'reported at its place: %s',
  (says, rule) => {
    const text = withExample(rule.on, rule.example);
    const message = says.replace('{name}', 'apikey').replace('{value}', 'simple');
    expect(problemsOf(text)).toMatchObject([
      { ...hereIn(text), message: expect.stringContaining(message) as string },
    ]);
  },
);

test.each([
  ['Paths', '/loans/{a}{b}: {} # here', '"/loans/{a}{b}": not supported: paths without'],
  ['Schema', "type: string\npattern: '[a-' # here", '"[a-": the pattern is not a regular expression'],
  [
    'Parameter',
    'name: X Page # here\nin: header\nschema: { type: string }',
    '"X Page": not supported: headers',
  ],
  [
    'Operation',
    'responses: {}\nparameters: [{ name: a, in: query, schema: {} }, { name: a, in: query, schema: {} }]',
    '"a": the parameter is declared twice: leave one out',
  ],
  ['Parameter', 'name: page\nin: query', '"page": a parameter needs schema, or content'],
] as const)('a message quotes what it is about: %s', (on, example, message) => {
  expect(problemsOf(withExample(on, example))).toMatchObject([
    { message: expect.stringContaining(message) as string },
  ]);
});

/** Incomplete, misspelt or misshapen objects: the kind, the object and the message. */
const MISSHAPEN: readonly (readonly [on: Kind, example: string, message: string])[] = [
  ['PathItem', 'get: # here', 'get must be an operation: an object with fields, but is empty: write it, or'],
  [
    'Info',
    'title: A\nversion: "1"\nsummary: # here',
    'summary must be text (put quotes around it if it looks like something else), but is empty: it is left out',
  ],
  ['Schema', 'type: string\npattern: null # here', 'but is empty: write it, or leave the name out'],
  ['Operation', 'tags:\n  - # here\n  - examples', 'but is empty: it is left out'],
  ['Paths', '/loans: loans # here', '/loans must be a path item: an object with fields'],
  ['Operation', 'parameters: {} # here', 'parameters must be a list (each item after a dash)'],
  ['Info', 'version: 1.0 # here', 'version must be text (put quotes around it'],
  ['Schema', 'type: integer\nminimum: "1" # here', 'minimum must be a number'],
  ['Schema', 'type: string\nminLength: -1 # here', 'minLength must be a whole number from 0'],
  ['Schema', 'type: number\nmultipleOf: 0 # here', 'multipleOf must be a number above 0'],
  [
    'Schema',
    'type: int # here',
    'type must be one of string, integer, number, boolean, object, array, null, or a list (each item after a dash), but is "int"',
  ],
  ['Parameter', 'name: page\nin: body # here\nschema: { type: string }', 'in must be one of path, query'],
  ['Operation', 'x-stabilty: beta # here', 'x-stabilty is not known: did you mean x-stability?'],
  ['Operation', 'x-hide-try-it-panel: true # here', 'did you mean x-hideTryItPanel?'],
  ['PathItem', 'x-internal: true # here', 'x-internal belongs to an operation, not here'],
  ['Operation', 'x-stability: alpha # here', 'x-stability must be one of experimental, beta'],
  [
    'Document',
    'x-rate-limit-plans:\n  constructor: { name: Free, perMinute: 60, perDay: 1000 } # here',
    'the names of plans and error codes are letters, digits and _, but not members of every JavaScript object',
  ],
  ['Schema', 'type: string\npattern: (?:abc # here', 'the pattern is not a regular expression'],
  [
    'Responses',
    "'200':\n  $ref: '#/components/responses/Example'\n  description: Other words. # here",
    'description beside $ref would be ignored: leave it out',
  ],
  [
    'Operation',
    'requestBody:\n  $ref: "#/components/schemas/Tagged" # here',
    'it is a component of another kind',
  ],
  ['Components', 'schemas:\n  $ref: schemas.yaml # here', 'cannot be followed (schemas.yaml)'],
  ['Paths', '$ref: paths.yaml # here', 'cannot be followed (paths.yaml)'],
  ['Operation', 'responses: {}\nparameters:\n  - $ref: page.yaml # here', 'cannot be followed (page.yaml)'],
  ['Operation', 'responses: {}\nrequestBody:\n  $ref: { a: b } # here', '$ref must be text'],
  ['Schema', 'anyOf:\n  - { type: string }\n  - type: null # here', "write 'null' in quotes"],
  [
    'Operation',
    'responses: {}\nparameters:\n  - { in: query, schema: { type: string } } # here',
    'a parameter needs name',
  ],
  [
    'Operation',
    'responses: {}\nparameters:\n  - name: [] # here\n    in: header\n    schema: { type: string }',
    'name must be text',
  ],
];

/** Further cases of rules, besides their own examples. */
const REFUSED_TOO: readonly (readonly [on: Kind, example: string])[] = [
  ['Response', 'description: Done.\nheaders:\n  __proto__: { schema: { type: string } } # here'],
  ['Response', 'description: Done.\ncontent:\n  application/json-seq: {} # here'],
  ['Response', 'description: Done.\ncontent:\n  application/json-seq:\n    itemSchema: {} # here'],
  ['RequestBody', 'content:\n  application/x-ndjson:\n    itemSchema: {} # here'],
  ['Schema', 'type: string\nenum: [] # here'],
  ['Schema', 'type: object\npatternProperties:\n  ^(a+)+(?<!b)$: { type: string } # here'],
  ['Schema', 'type: string\npattern: ^(a+){1,30}(?<!b)$ # here'],
  ['Schema', 'type: object\npatternProperties:\n  (a: { type: string } # here'],
  ['Schema', 'allOf: [] # here'],
  [
    'Components',
    "schemas:\n  Loan: # here\n    oneOf: [{ type: 'null' }, { not: { $ref: '#/components/schemas/Loan' } }]",
  ],
  [
    'Components',
    "schemas:\n  Loan: # here\n    if: { $ref: '#/components/schemas/Copy' }\n  Copy: { dependentSchemas: { a: { $ref: '#/components/schemas/Loan' } } }",
  ],
  ['SecurityScheme', 'type: http # here'],
  ['Tag', 'name: loans\nx-parent: stor # here'],
  ['Paths', '/loans/{id}{name}: {} # here'],
  ['Paths', '/loans/../books: {} # here'],
  ['Paths', '/loans#first: {} # here'],
];

test.each([
  '^(a|aa)+$',
  '^(\\w{1,30} ?){1,30}$',
  '.*a.*b',
  '^(?!a)[a-z]+(-[a-z]+)*$',
  '^(?=.*[a-z])(?=.*[0-9]).{8,}',
  "(?=.*[a-z])(?=.*[0-9]).{8,}'\nmaxLength: 100 # '",
])('a pattern that is tested in linear time is accepted: %s', (pattern) => {
  expect(problemsOf(withExample('Schema', `type: string\npattern: '${pattern}'`))).toEqual([]);
});

/** Served as the table of a contract says, with a remark or none: the kind, the object and the remark. */
const REMARKED: readonly (readonly [on: Kind, example: string, remark?: string])[] = [
  ['Document', 'servers: []'],
  ['Operation', 'x-owner:'],
  ['Schema', 'type: string\nexample:'],
  ['Schema', 'type: string\ndefault: null\nnullable: true'],
  ['Schema', 'type: object\nproperties: { constructor: { type: string }, toString: { type: integer } }'],
  ['Parameter', 'name: constructor\nin: query\nschema: { type: string }'],
  ['Response', 'description: Done.\nheaders:\n  toString: { schema: { type: string } }'],
  ['Responses', "x-cache: { ttl: 60 }\n'200': { description: Done. }"],
  ['Responses', "'101': { description: Other. } # here", '101 is documentation'],
  ['Responses', "'1XX': { description: Other. } # here", '1XX is documentation'],
  [
    'Paths',
    '/loans/{loanId}: { get: { responses: {}, parameters: [{ name: loanId, in: path, required: true, schema: {} }] } }\n' +
      '/loans/{id}: { put: { responses: {}, parameters: [{ name: id, in: path, required: true, schema: {} }] } } # here',
    'the path differs from /loans/{loanId} only in the names of its parameters: write one path',
  ],
  ['Schema', 'type: string\npattern: ^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$'],
  [
    'Schema',
    'type: string\npattern: ^a(?!x)\\w+\\w+$ # here',
    'texts of more than 100 characters are rejected',
  ],
  [
    'Schema',
    'type: string\npattern: ^(a+){1,3}(?<!b)$ # here',
    'texts of more than 66 characters are rejected',
  ],
  ['Schema', 'type: string\npattern: ^a(?!x)\\w+\\w+$\nmaxLength: 100'],
  ['Schema', 'type: string\npattern: ^(.*)\\1$ # here', 'texts of more than 1000 characters are rejected'],
  ['Schema', 'type: string\npattern: ^(["x]).*\\1$'],
  [
    'Schema',
    'type: object\npatternProperties:\n  ^a(?!x)\\w+\\w+$: { type: string } # here',
    'texts of more than 100 characters are rejected',
  ],
  ['Schema', 'nullable: true'],
  ['Schema', 'nullable: true # here\nallOf: [{ type: string }]', 'nullable beside allOf is read as null'],
  ['Schema', 'allOf:\n  - type: string\n  - nullable: true # here', 'is read as of the whole'],
  ['Schema', "type: [string, 'null']\nenum: [a] # here", 'null is not allowed: enum does not list it'],
  ['Schema', 'type: string\nenum:\n  - a\n  - 1 # here', '1 is never allowed: the type is string'],
  ['Schema', 'type: object # here\nenum: [a, b]', 'no value of enum is of type object: they are string'],
  ['Parameter', 'name: a\nin: query\nallowReserved: true # here\nschema: { type: string }', 'is ignored'],
  ['Header', 'style: form # here\nschema: { type: string }', 'the style of a header is always simple'],
  ['Operation', 'responses: {}\nservers: [] # here', 'every operation is served at the first server'],
  ['Schema', 'xml: { name: a } # here', 'xml is documentation'],
  ['Schema', 'type: string\nid: loan # here', 'id is ignored: JSON Schema 2020-12 has no such keyword'],
  ['Schema', 'type: object\ndependencies: { a: [b] } # here', 'write dependentRequired'],
  ['Schema', "type: object\n$recursiveRef: '#' # here", '$recursiveRef is ignored'],
  ['Schema', 'type: object\n$async: true # here', '$async is ignored'],
  ...['{ $ref: "http://127.0.0.1/" }', '{ $ref: "#/nowhere" }'].flatMap((data): [Kind, string, string?][] => [
    ['Schema', `example: ${data}`],
    ['Schema', `default: ${data}`],
    ['Schema', `enum: [${data}]`],
    ['Schema', `x-example: ${data}`],
    ['Schema', `x-note:\n  ${data.slice(1, -1).trim()} # here`, 'what the reference leads to is left out'],
  ]),
];

test.each(REMARKED.map(([on, example, remark = '']) => [on, example, remark] as const))(
  'served: %s %j: %s',
  (on, example, remark) => {
    const text = withExample(on, example);
    const contract = parseContract(text);
    expect(checkContract(contract)).toEqual([]);
    expect(checkIgnored(contract)).toMatchObject(
      remark === '' ? [] : [{ ...hereIn(text), message: expect.stringContaining(remark) as string }],
    );
  },
);

/** What OpenAPI 3.2 adds: the kind, an object with it, what is named, and a remark on it in 3.2. */
const NEW: readonly (readonly [on: Kind, example: string, named: string, remark?: string])[] = [
  ['Document', '$self: https://library.example/openapi # here', '$self'],
  ['Server', 'url: /\nname: production # here', 'name'],
  ['Tag', 'name: loans\nsummary: Loans # here', 'summary'],
  ['Tag', 'name: loans\nkind: nav # here', 'kind'],
  ['Components', 'mediaTypes: { Loans: {} } # here', 'mediaTypes'],
  [
    'PathItem',
    'query: { requestBody: { required: true, content: { text/plain: {} } }, responses: {} } # here',
    'query',
  ],
  ['Response', 'description: Done.\nsummary: Done. # here', 'summary'],
  [
    'Response',
    'description: A stream.\ncontent:\n  text/event-stream:\n    itemSchema: { type: object, properties: { data: {} } } # here',
    'itemSchema',
  ],
  [
    'Response',
    'description: A stream.\ncontent:\n  text/event-stream:\n    itemSchema: # here\n      type: integer',
    'itemSchema',
    'the schema of an event has no property data: it is read as that of its data (OpenAPI 3.2 §4.14)',
  ],
  ['Schema', 'discriminator:\n  propertyName: kind\n  defaultMapping: Tagged # here', 'defaultMapping'],
  ['SecurityScheme', 'type: http\nscheme: bearer\ndeprecated: true # here', 'deprecated'],
  [
    'SecurityScheme',
    'type: oauth2\nflows: {}\noauth2MetadataUrl: https://library.example # here',
    'oauth2MetadataUrl',
  ],
  ['Parameter', 'name: sid\nin: cookie\nstyle: cookie # here\nschema: {}', 'style'],
  ['MediaType', 'content:\n  text/csv:\n    examples:\n      One: { dataValue: a } # here', 'dataValue'],
  [
    'MediaType',
    'content:\n  text/csv:\n    examples:\n      One: { serializedValue: a } # here',
    'serializedValue',
  ],
  [
    'MediaType',
    'content:\n  multipart/mixed:\n    prefixEncoding: [] # here',
    'prefixEncoding',
    'prefixEncoding is documentation: handlers get the bytes of the whole body',
  ],
  [
    'MediaType',
    'content:\n  multipart/mixed:\n    itemEncoding: {} # here',
    'itemEncoding',
    'itemEncoding is documentation: handlers get the bytes of the whole body',
  ],
];

test.each(NEW.map(([on, example, named, remark = '']) => [on, example, named, remark] as const))(
  'OpenAPI 3.2 is served, also in a document of 3.1: %s %j',
  (on, example, named, remark) => {
    const text = withExample(on, example);
    const here = (message: string) => ({ ...hereIn(text), message, column: expect.any(Number) as number });
    const newest = parseContract(text);
    expect([checkContract(newest), checkIgnored(newest)]).toMatchObject([
      [],
      remark === '' ? [] : [here(remark)],
    ]);
    expect(newest.document).toMatchObject({ openapi: '3.2.0' });
    const older = parseContract(text.replace('openapi: 3.2.0', 'openapi: 3.1.0'));
    expect(checkContract(older)).toEqual([]);
    expect(checkIgnored(older)[0]).toMatchObject(
      here(`${named} is new in OpenAPI 3.2: write openapi: 3.2.0`),
    );
    expect(older.document).toEqual(newest.document);
  },
);

test('a response of 3.2 needs no description, and its summary is one', () => {
  const text = withExample('Response', 'summary: All is well.');
  expect(checkIgnored(parseContract(text))).toEqual([]);
  expect(JSON.stringify(parseContract(text).model.operations)).toContain('"description":"All is well."');
  const older = parseContract(withExample('Response', 'headers: {}').replace('3.2.0', '3.1.0'));
  expect(older.remarks.map(({ message }) => message)).toEqual(['a response needs description']);
});

test.each([
  ['a property', 'type: object\nproperties: { id: { type: string } }\nrequired:\n  - id\n  - group # here'],
  [
    'one of many',
    'properties: {}\ntype: object\nadditionalProperties: false\nrequired: [\n  group # here\n  ]',
  ],
])('remarks on %s that is required and not declared, and takes any value for it', (_, schema) => {
  const text = withExample('Schema', schema);
  const contract = parseContract(text);
  expect(checkContract(contract)).toEqual([]);
  const message = 'group is required but not declared: it may have any value; add it to properties';
  expect(checkIgnored(contract)).toMatchObject([{ ...hereIn(text), message }]);
});

test.each([
  'type: object\nrequired: [id, group]\nallOf: [{ properties: { id: {}, group: {} } }]',
  'allOf: [{ type: object, properties: { id: {} }, required: [id, group] }, { properties: { group: {} } }]',
  'type: object\nproperties: { id: {} }\nrequired: [group]\nadditionalProperties: { type: string }',
])('does not remark on what is declared elsewhere: %s', (schema) => {
  expect(checkIgnored(parseContract(withExample('Schema', schema)))).toEqual([]);
});

test('does not remark on what extends a base, and declares it', () => {
  const contract = parseContract(`openapi: 3.1.0
info: { title: Books, version: '1' }
paths: {}
components:
  schemas:
    Book: { type: object, required: [id, name], properties: { name: { type: string } } }
    Novel: { allOf: [{ $ref: '#/components/schemas/Book' }, { properties: { id: { type: integer } } }] }
`);
  expect(checkIgnored(contract)).toEqual([]);
});

test.each([
  ['QUERY without a body', 'query: { responses: {} } # here', 'QUERY without a body asks for nothing'],
  [
    'an optional body of QUERY',
    'query:\n  responses: {}\n  requestBody: { content: { text/plain: {} } } # here',
    'a body of QUERY is always required: write required: true',
  ],
])('remarks on %s (RFC 10008 §2)', (_, example, remark) => {
  const text = withExample('PathItem', example);
  const contract = parseContract(text);
  expect(checkContract(contract)).toEqual([]);
  expect(checkIgnored(contract)).toMatchObject([
    {
      ...hereIn(text),
      column: expect.any(Number) as number,
      message: expect.stringContaining(remark) as string,
    },
  ]);
});

test.each([
  ['swagger: "2.0"', 'swagger.yaml', 'run `npx swagger2openapi --yaml --outfile openapi.yaml swagger.yaml`'],
  ['swagger: "2.0"', undefined, 'run `npx swagger2openapi --yaml --outfile openapi.yaml FILE`'],
  ['openapi: 3.0', undefined, 'write all three numbers of the version, such as openapi: 3.0.3'],
  ['openapi: 3.1', undefined, 'write all three numbers of the version, such as openapi: 3.1.0'],
  ['openapi: 4.0.0', undefined, 'another version than OpenAPI 3.0, 3.1 and 3.2; convert the document to 3.1'],
  ['openapi:', undefined, 'it begins with openapi: 3.1.0'],
])('another version is refused, with what to do: %s', (line, name, message) => {
  expect(() => parseContract(`${line}\n`, undefined, name)).toThrow(message);
});

test('an alternative with a scheme that cannot be checked is left out, if there is another', () => {
  const schemes = 'components:\n  securitySchemes:\n    digest: { type: http, scheme: digest }\n';
  const remarked = withExample('Document', `${schemes}security:\n  - apiKey: []\n  - { digest: [] } # here`);
  const contract = parseContract(remarked);
  expect(checkContract(contract)).toEqual([]);
  expect(contract.document).toMatchObject({ security: [{ apiKey: [] }] });
  expect(contract.remarks).toMatchObject([
    {
      ...hereIn(remarked),
      column: 5,
      message: 'digest is left out: the service cannot check it, and callers use the others',
    },
  ]);
  // Together with a parameter without a place: a problem, not a crash.
  const odd = `${schemes}security:\n  - digest: []\npaths:\n  /examples:\n    put:\n      parameters: [{ name: a }]`;
  expect(checkContract(parseContract(withExample('Document', odd))).map(({ message }) => message)).toEqual(
    expect.arrayContaining(['a parameter needs in']),
  );
  const alone = parseContract(withExample('Document', `${schemes}security:\n  - digest: []`));
  const both = parseContract(withExample('Document', `${schemes}security:\n  - { apiKey: [], digest: [] }`));
  for (const refused of [alone, both])
    expect(checkContract(refused)).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining('HTTP schemes other than') as string }),
    );
});

test.each(REFUSED_TOO)('rejected at its place, once: %s %j', (on, example) => {
  const text = withExample(on, example);
  expect(problemsOf(text)).toMatchObject([{ ...hereIn(text), message: expect.any(String) as string }]);
});

test.each(MISSHAPEN)('reported at its place: %s %j: %s', (on, example, message) => {
  const text = withExample(on, example);
  const problem = { ...hereIn(text), message: expect.stringContaining(message) as string };
  expect(problemsOf(text)).toMatchObject([problem]);
});

test.each<[Kind, string]>([
  ['Schema', 'type: string\nexamples: { first: Emma } # here'],
  ['Parameter', 'name: page\nin: query\nschema: { type: integer }\nexamples: [1] # here'],
])('a misshapen example is a remark, and is omitted: %s %j', (on, example) => {
  const contract = parseContract(withExample(on, example));
  expect(contract.problems).toEqual([]);
  expect(contract.remarks).toMatchObject([
    { ...hereIn(withExample(on, example)), message: expect.stringMatching(/^examples must be /) as string },
  ]);
});

test.each([
  ['a dash without anything', 'paths:\n  /loans:\n    get:\n      parameters: -\n', { line: 4, column: 19 }],
  ['an alias within itself', 'openapi: 3.1.0\nx-one: &one\n  two: *one\n', { line: 3, column: 8 }],
  ['an alias of nothing', 'openapi: 3.1.0\nx-one: *one\n', { line: 2, column: 8 }],
  ['a second document', 'openapi: 3.1.0\n---\nopenapi: 3.1.0\n', { line: 2, column: 1 }],
  ['a tag that nothing knows', 'openapi: !secret 3.1.0\n', { line: 1, column: 10 }],
  ['another version of YAML', '# A contract.\n%YAML 1.1\n---\nopenapi: 3.1.0\n', { line: 2, column: 1 }],
  ['a comma in a text in braces', 'x-one: { a: b, c }\n', { line: 1, column: 16 }],
  ['a merge of what is no object', 'x-one: &one [1]\nx-two:\n  <<: *one\n', { line: 3, column: 3 }],
  ['a key that is there as a number too', 'x-one:\n  "400": a\n  400: b\n', { line: 3, column: 3 }],
  ['a number that JSON does not have', 'x-one: .inf\n', { line: 1, column: 8 }],
  ['a number that may be octal', 'x-one: 010\n', { line: 1, column: 8 }],
  ['a control character', 'x-one: "a\\u0000b"\n', { line: 1, column: 8 }],
  ['half a character', 'x-one: "\\uD83D"\n', { line: 1, column: 8 }],
  ['a name with a control character', '"x-\\x01": one\n', { line: 1, column: 1 }],
  ['a value that would be rounded', 'const: 9007199254740993\n', { line: 1, column: 8 }],
  ['text', 'openapi\n', { line: 1, column: 1 }],
  ['an error code that is a list', 'openapi: 3.1.0\nx-error-codes: []\n', { line: 2, column: 1 }],
])('%s is rejected with its place', (_name, text, place) => {
  expect(problemsOf(text)).toContainEqual(expect.objectContaining(place));
});

test.each<[Kind, string]>([
  ['Operation', 'sumary'],
  ['Parameter', 'collectionFormat'],
  ['Schema', 'toString'],
])('an unknown field is a remark at its place: %s.%s', (kind, field) => {
  const text = withExample(kind, `${field}: true # here`);
  const message = `has no field ${field}: leave it out, or begin its name with x-`;
  const remark = { ...hereIn(text), message: expect.stringContaining(message) as string };
  const contract = parseContract(text);
  expect(checkIgnored(contract)).toContainEqual(expect.objectContaining(remark));
  expect(checkContract(contract, ['strict'])).toContainEqual(expect.objectContaining(remark));
});

test.each([
  ['string', 'datetime', 'date-time'],
  ['string', 'dateTime', 'date-time'],
  ['string', 'date_time', 'date-time'],
  ['string', 'date time', 'date-time'],
  ['string', 'Date', 'date'],
  ['string', 'datetime-local', 'date-time-local'],
  ['string', 'e-mail', 'email'],
  ['string', 'emails', 'email'],
  ['string', 'host-name', 'hostname'],
  ['string', 'uuid4', 'uuid'],
  ['string', 'UUID', 'uuid'],
  ['string', 'IPv4', 'ipv4'],
  ['string', 'uri_reference', 'uri-reference'],
  ['string', 'bytes', 'byte'],
  ['integer', 'int-64', 'int64'],
  ['integer', 'Int32', 'int32'],
  ['integer', 'uint-64', 'uint64'],
  ['number', 'Double', 'double'],
])('remarks on a misspelt format, with the right one: %s, %s', (type, format, meant) => {
  const text = withExample('Schema', `type: ${type}\nformat: ${format} # here`);
  const remark = { ...hereIn(text), message: `the format ${format} is not known: did you mean ${meant}?` };
  expect(problemsOf(text)).toMatchObject([remark]);
  expect(checkContract(parseContract(text))).toEqual([]);
  expect(checkContract(parseContract(text), ['strict'])).toContainEqual(expect.objectContaining(remark));
});

test.each([
  'ulid',
  'cuid',
  'urn',
  'ksuid',
  'purl',
  'slug',
  'phone',
  'money',
  'int16',
  'uint64',
  'iri',
  'constructor',
])('does not take an unusual format for a misspelt one: %s', (format) => {
  expect(problemsOf(withExample('Schema', `type: string\nformat: ${format}`))).toEqual([]);
});

test('remarks that a header of the server is ignored', () => {
  const text = withExample(
    'Response',
    'description: Done.\nheaders:\n  Content-Length: { schema: { type: integer } } # here',
  );
  expect(problemsOf(text)).toMatchObject([
    { ...hereIn(text), message: 'the header Content-Length is ignored: the server writes it by itself' },
  ]);
});

test.each([
  ['Accept', 'security and content say it'],
  ['content-type', 'security and content say it'],
  ['Content-Length', 'clients write it by themselves'],
  ['Host', 'clients write it by themselves'],
])('remarks that a parameter is ignored, also behind a reference: %s', (name, reason) => {
  const parameter = `{ name: ${name}, in: header, required: true, schema: { type: string } }`;
  const message = `the parameter ${name} is ignored: ${reason}`;
  const inPlace = withExample('Operation', `parameters:\n  - ${parameter} # here`);
  expect(problemsOf(inPlace)).toMatchObject([{ ...hereIn(inPlace), message }]);
  const referred = withExample(
    'Document',
    `paths:
  /examples:
    put:
      parameters:
        - { $ref: '#/components/parameters/Ignored' } # here
components:
  parameters:
    Ignored: ${parameter}`,
  );
  expect(problemsOf(referred)).toMatchObject([{ ...hereIn(referred), message }]);
  expect(parseContract(referred).model.operations[0]?.parameters).toEqual([]);
});

test('a reference that cannot be decoded, and one in a list of words, have their places', () => {
  const odd =
    "components:\n  schemas:\n    'a b': { type: string, x-note: { $ref: '#/components/schemas/100%' } }\n    '100%': {}";
  expect(checkContract(parseContract(withExample('Document', odd)))).toEqual([]);
  const inWords = withExample('Schema', "type: [string, { $ref: '#/nowhere' }] # here\nrequired: ['']");
  for (const { message, line } of problemsOf(inWords)) {
    expect(message).not.toContain('undefined');
    expect(line).toBe(hereIn(inWords).line);
  }
});

test('reports all problems at once, in document order', () => {
  const text = withExample('Operation', 'x-stabilty: beta\nsumary: Example\nx-internal: true\ntags: [other]');
  const problems = checkContract(parseContract(text), ['strict']);
  expect(problems.map(({ message }) => message.split(/[:;]/, 1)[0])).toEqual([
    'x-stabilty is not known',
    'an operation has no field sumary',
    'true',
    'the tag other is not among the tags of the document',
  ]);
});

test('reports mistakes of YAML with all others, and identical ones as one line', () => {
  const item = '{ name: page, in: query, style: simple, schema: { type: string } }';
  const text = `openapi: 3.1.0
info: { title: Shop, version: '1', x-code: 010 }
security: [{ keys: [] }]
paths:
  /a: { get: { operationId: get, parameters: [${item}], responses: {} } }
  /b/{id}: { get: { operationId: get, parameters: [${item}], responses: {} } }
`;
  const problems = checkContract(parseContract(text));
  expect(new ContractError(problems, 'shop.yaml').message.split('\n')).toEqual([
    'shop.yaml:2:44: a number with a leading 0 is read as 10, or as octal: write it without, or in quotes if it is text',
    'shop.yaml:3:14: the scheme keys is not among components.securitySchemes: declare it there, or correct the name',
    expect.stringMatching(
      /^shop.yaml:5:\d+: "simple" is no style of this place: leave it out \(and 1 more: 6:\d+\)$/,
    ),
    expect.stringMatching(
      /^shop.yaml:6:\d+: GET \/b\/{id}: the path parameter id is not declared: add { name: id, in: path, required: true, schema: { type: string } } to parameters$/,
    ),
  ]);
});

test.each([
  ['a: 1\nb: 2\na: 3\n', '3:1: the object has this name already: write one of the two, or join their values'],
  [
    'a:\n  {{ name }}: 1\n',
    '2:3: the name in {{ name }}: 1 is a list or an object: write a text, in quotes if it has braces or brackets',
  ],
  // As PowerShell writes a file with >.
  [Buffer.from('\ufeffa: 1\n', 'utf16le').toString(), '1:1: the file is not UTF-8: save it as UTF-8'],
])('says what to do about a file that cannot be read: %j', (text, message) => {
  expect(() => parseContract(text)).toThrow(message);
});

test.each(['paths'])('reports missing fields with all other problems: %s', (field) => {
  const whole = parseDocument(withExample('Operation', 'x-internal: true'));
  whole.delete(field);
  whole.setIn(['components', 'schemas', 'Tagged', 'pattern'], '(');
  const messages = checkContract(parseContract(whole.toString())).map(({ message }) => message);
  expect(messages).toContainEqual(`the document needs ${field}`);
  expect(messages).toContainEqual(expect.stringContaining('not a regular expression'));
});

test('the kitchen-sink contracts use all of OpenAPI, and the first keeps every rule', async () => {
  const read = (name: string) =>
    readFile(path.join(import.meta.dirname, '../../../test-support/kitchen-sink', name), 'utf8');
  const text = await read('openapi.yaml');
  const [closed, open] = [parseContract(text), parseContract(await read('open.yaml'))];
  const ofPipeline = ['errors', 'complete'];
  const others = houseRules.filter((rule) => !ofPipeline.includes(rule));
  expect(checkContract(closed, others)).toEqual([]);
  expect(checkContract(parseContract(fillContract(closed).get('') ?? ''), ofPipeline)).toEqual([]);
  const newest = parseContract(await read('newest.yaml'));
  const documented = parseContract(await read('documented.yaml'));
  expect([open, newest, documented].map((contract) => checkContract(contract))).toEqual([[], [], []]);
  const used = new Set(
    [closed, open, newest, documented].flatMap(({ document }) =>
      walk(document, 'Document', [], true).nodes.flatMap(({ kind, value }) =>
        Object.keys(value as object).map((field) => `${kind}.${field}`),
      ),
    ),
  );
  const known = Object.entries(GRAMMAR).flatMap(([kind, { fields }]) =>
    Object.keys(fields).map((field) => `${kind}.${field}`),
  );
  expect(known.filter((field) => !used.has(field))).toEqual([
    'License.url',
    // Written where it is referred to.
    'Components.mediaTypes',
    // Joined with what it leads to.
    'PathItem.$ref',
    'PathItem.additionalOperations',
    'Operation.x-internal',
    // Replaced when the contract is read.
    ...['$id', '$anchor', '$dynamicRef', '$dynamicAnchor'].map((field) => `Schema.${field}`),
    'Schema.nullable',
  ]);
});

test.each([
  ['/', '/docs', ["it takes the place of the service's own /docs"]],
  ['/', '/metrics', ["it takes the place of the service's own /metrics"]],
  [
    '/',
    '/{code}.md',
    ['it does not get /docs.md: the service has these pages itself, unless the contract declares them'],
  ],
  ['/', '/{code}/cover', []],
  ['/v1', '/docs', []],
])('remarks on paths of a contract at %s that meet pages of the service: %s', (url, path, messages) => {
  const contract = parseContract(`openapi: 3.1.0
info: { title: Shop, version: '1' }
servers: [{ url: ${url} }]
paths:
  ${path}:
    get:
      parameters: [${path.includes('{code}') ? '{ name: code, in: path, required: true, schema: { type: string } }' : ''}]
      responses: { '204': { description: Done. } }
`);
  expect(checkIgnored(contract)).toMatchObject(messages.map((message) => ({ line: 5, column: 3, message })));
});
