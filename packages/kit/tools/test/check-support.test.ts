import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { checkContract } from '../src/check/check-contract.ts';
import { ContractError, parseContract, type Problem } from '../src/source-document.ts';
import { checkSupport, messageOf } from '../src/support/check-support.ts';
import { ruleGroups } from '../src/support/features.ts';
import { FORMATS } from '../src/support/features/schemas/strings.ts';
import { GRAMMAR, type Kind } from '../src/support/grammar.ts';
import { mistakes } from '../src/support/mistakes.ts';
import { walk } from '../src/support/walk.ts';
import { hereIn, withExample } from './support/example.ts';

const refused = Object.values(ruleGroups).flat();

/** What is said of the contract `text`. */
function problemsOf(text: string): readonly Problem[] {
  try {
    return checkSupport(parseContract(text)).problems;
  } catch (error) {
    if (error instanceof ContractError) return error.problems;
    throw error;
  }
}

test.each([...refused, ...mistakes].map((rule) => [messageOf(rule), rule] as const))(
  'found in its place: %s',
  (says, rule) => {
    const text = withExample(rule.on, rule.example);
    const [, reference] = /\$ref: (["'.#].*) # here/.exec(rule.example) ?? [];
    const message = rule.on === 'Reference' ? `${says} (${reference?.replaceAll(/["']/g, '')})` : says;
    expect(problemsOf(text)).toEqual([{ ...hereIn(text), message }]);
  },
);

/** What is half-written, misspelt or of another shape: the kind of object, the object, and the message. */
const MISSHAPEN: readonly (readonly [on: Kind, example: string, message: string])[] = [
  ['PathItem', 'get: # here', 'get is left empty'],
  ['Operation', 'tags:\n  - # here\n  - examples', 'an item is left empty'],
  ['Paths', '/loans: loans # here', '/loans must be a path item: an object with fields'],
  ['Operation', 'parameters: {} # here', 'parameters must be a list (each item after a dash)'],
  ['Info', 'version: 1.0 # here', 'version must be text (put quotes around it'],
  ['Schema', 'type: integer\nminimum: "1" # here', 'minimum must be a number'],
  ['Schema', 'type: string\nminLength: -1 # here', 'minLength must be a whole number from 0'],
  ['Schema', 'type: int # here', 'type must be one of string, integer, number, boolean'],
  ['Parameter', 'name: page\nin: body # here\nschema: { type: string }', 'in must be one of path, query'],
  ['Responses', "'200': { headers: {} } # here", 'a response needs description'],
  ['Response', 'description: Loans.\ncontent:\n  application/json: {} # here', 'a media type needs schema'],
  ['PathItem', 'get: { responses: {} } # here', 'an operation needs operationId'],
  ['Operation', 'x-stabilty: beta # here', 'x-stabilty is not known: did you mean x-stability?'],
  ['Operation', 'x-hide-try-it-panel: true # here', 'did you mean x-hideTryItPanel?'],
  ['PathItem', 'x-internal: true # here', 'x-internal belongs to an operation, not here'],
  ['Operation', 'x-stability: alpha # here', 'x-stability must be one of experimental, beta'],
  [
    'Schema',
    'type: object\nproperties:\n  properties:\n    type: object\n    additionalProperties:\n      type: string\n      default: x # here',
    'not supported: `default` elsewhere (in components, items, whole bodies, headers); write it at each property or parameter that it is meant for',
  ],
  [
    'Document',
    'x-rate-limit-plans:\n  constructor: { name: Free, perMinute: 60, perDay: 1000 } # here',
    'the names of plans and error codes are letters, digits and _, but not what every object of JavaScript has',
  ],
  ['Schema', 'type: string\npattern: (?:abc # here', 'the pattern is not a regular expression'],
  [
    'RequestBody',
    'content:\n  application/json:\n    schema:\n      type: string\n      format: binary # here',
    'not supported: `format: binary` in JSON; write format: byte (base64), or a binary response',
  ],
  [
    'Schema',
    'oneOf: [{ $ref: "#/components/schemas/Tagged" }]\ndiscriminator:\n  propertyName: kind\n  mapping:\n    Tagged: "#/components/schemas/Tagged"\n    Other: "#/components/schemas/Othr" # here',
    'the mapping leads to no schema of the oneOf: write all of its $ref',
  ],
  [
    'Schema',
    'allOf:\n  - oneOf: [{ type: object, properties: { a: {} }, additionalProperties: false }] # here\n  - { type: object, properties: { b: {} } }',
    'not supported: `additionalProperties: false` beside or within `allOf`; leave it out, or write one object: each part would refuse the properties of the others',
  ],
  [
    'Responses',
    "'200':\n  $ref: '#/components/responses/Example'\n  description: Other words. # here",
    'description beside $ref would be ignored: leave it out',
  ],
  ['Operation', 'requestBody:\n  $ref: "#/components/schemas/Tagged" # here', 'does not exist (#/components'],
];

/** More that a rule refuses than its own example. */
const REFUSED_TOO: readonly (readonly [on: Kind, example: string])[] = [
  ['Parameter', 'name: X-Tags\nin: header\nschema: { type: array, items: { type: string } } # here'],
  ...[
    '{ type: array, items: { type: object, additionalProperties: true } }',
    '{ type: array, items: { type: [string, "null"] } }',
    '{ oneOf: [{ type: integer }, { type: string }] }',
    '{ type: string, allOf: [{ type: string, enum: [red] }] }',
    '{ type: array, items: { type: string, allOf: [{ type: string }] } }',
  ].map((schema) => ['Parameter', `name: a\nin: query\nschema: ${schema} # here`] as const),
  ['Parameter', 'name: a\nin: query\nschema: { type: string }\nstyle: deepObject # here'],
  ['Parameter', 'name: Set-Cookie # here\nin: header\nschema: { type: string }'],
  ['Parameter', 'name: Accept-Language # here\nin: header\nschema: { type: string }'],
  ['Header', 'schema: # here\n  type: integer\n  format: int64'],
  ['Header', 'schema: # here\n  type: [string, "null"]'],
  ['Responses', "'2XX': { description: Anything. } # here"],
  ['Responses', "'103': { description: Hints. } # here"],
  ['Response', 'description: Done.\nheaders:\n  X Total: { schema: { type: string } } # here'],
  ['Response', 'description: Done.\nheaders:\n  constructor: { schema: { type: string } } # here'],
  ['Response', 'description: A table.\ncontent:\n  text/csv: { schema: { type: array, items: {} } } # here'],
  ['Schema', 'type: [string] # here'],
  ['Schema', 'type: string\nenum: [] # here'],
  ['Schema', 'allOf: [] # here'],
  ['Server', 'url: https://{region}.library.example/v1 # here\ndescription: Production'],
];

test.each(REFUSED_TOO)('refused in its place, once: %s %j', (on, example) => {
  const text = withExample(on, example);
  expect(problemsOf(text)).toEqual([{ ...hereIn(text), message: expect.any(String) as string }]);
});

test.each(MISSHAPEN)('found in its place: %s %j: %s', (on, example, message) => {
  const text = withExample(on, example);
  const problem = { ...hereIn(text), message: expect.stringContaining(message) as string };
  expect(problemsOf(text)).toEqual([problem]);
});

test.each([
  ['a dash without anything', 'paths:\n  /loans:\n    get:\n      parameters: -\n', { line: 4, column: 19 }],
  ['an alias within itself', 'openapi: 3.1.0\nx-one: &one\n  two: *one\n', { line: 3, column: 8 }],
  ['an alias of nothing', 'openapi: 3.1.0\nx-one: *one\n', { line: 2, column: 8 }],
  ['a second document', 'openapi: 3.1.0\n---\nopenapi: 3.1.0\n', { line: 2, column: 1 }],
  ['a tag that nothing knows', 'openapi: !secret 3.1.0\n', { line: 1, column: 10 }],
  ['another version of YAML', '# A contract.\n%YAML 1.1\n---\nopenapi: 3.1.0\n', { line: 2, column: 1 }],
  ['a merge key', 'x-one: &one { a: 1 }\nx-two:\n  <<: *one\n', { line: 3, column: 3 }],
  ['a key that is there as a number too', 'x-one:\n  "400": a\n  400: b\n', { line: 3, column: 3 }],
  ['a number that JSON does not have', 'x-one: .inf\n', { line: 1, column: 8 }],
  ['a number that may be octal', 'x-one: 010\n', { line: 1, column: 8 }],
  ['a control character', 'x-one: "a\\u0000b"\n', { line: 1, column: 8 }],
  ['half a character', 'x-one: "\\uD83D"\n', { line: 1, column: 8 }],
  ['a name with a control character', '"x-\\x01": one\n', { line: 1, column: 1 }],
  ['a number that would be rounded', 'x-one: 9007199254740993\n', { line: 1, column: 8 }],
  ['text', 'openapi\n', { line: 1, column: 1 }],
  ['an error code that is a list', 'openapi: 3.1.0\nx-error-codes: []\n', { line: 2, column: 1 }],
])('%s is refused with its place', (_name, text, place) => {
  expect(problemsOf(text)).toContainEqual(expect.objectContaining(place));
});

test.each<[Kind, string]>([
  ['Document', 'webhooks'],
  ['PathItem', 'servers'],
  ['Operation', 'callbacks'],
  ['Parameter', 'collectionFormat'],
  ['SecurityScheme', 'flows'],
  ['Schema', 'if'],
  ['Schema', 'nullable'],
  ['Schema', 'toString'],
])('a field that is not supported has its place: %s.%s', (kind, field) => {
  const text = withExample(kind, `${field}: true # here`);
  const message = `has no field ${field} that is supported: leave it out, or begin its name with x-`;
  const problem = { ...hereIn(text), message: expect.stringContaining(message) as string };
  expect(problemsOf(text)).toContainEqual(problem);
});

test('a text under an extension of the paths is refused in its place', () => {
  const text = withExample('Paths', 'x-note: hello # here');
  const message =
    'not supported: extensions among the paths; write it into the document, a path item or an operation';
  expect(checkContract(parseContract(text))).toContainEqual({ ...hereIn(text), message });
});

test('everything that is wrong is said at once, in the order of reading', () => {
  const text = withExample('Operation', 'x-stabilty: beta\nsumary: Example\nx-internal: true\ntags: [other]');
  expect(problemsOf(text).map(({ message }) => message.split(/[:;]/, 1)[0])).toEqual([
    'x-stabilty is not known',
    'an operation has no field sumary that is supported',
    'not supported',
    'the tag is not among the tags of the document',
  ]);
});

test.each(['info', 'servers', 'security', 'paths', 'x-rate-limit-plans', 'x-error-codes'])(
  'what else is wrong is said at once with what is missing: %s',
  (field) => {
    const whole = parseDocument(withExample('PathItem', 'post: { operationId: another }'));
    whole.delete(field);
    whole.setIn(['components', 'schemas', 'Tagged', 'nullable'], true);
    const messages = checkContract(parseContract(whole.toString())).map(({ message }) => message);
    const lacks = [
      `the document needs ${field}`,
      ...(field === 'paths' ? [] : ['an operation needs responses']),
    ];
    for (const each of [...lacks, 'a schema has no field nullable'])
      expect(messages).toContainEqual(expect.stringContaining(each));
  },
);

test('the kitchen-sink contract keeps to every rule, and uses everything that works', async () => {
  const text = await readFile(path.join(import.meta.dirname, 'kitchen-sink/openapi.yaml'), 'utf8');
  const contract = parseContract(text);
  expect(checkContract(contract)).toEqual([]);
  const { nodes } = walk(contract.document);
  const used = new Set(
    nodes.flatMap(({ kind, value }) => Object.keys(value as object).map((field) => `${kind}.${field}`)),
  );
  const supported = Object.entries(GRAMMAR).flatMap(([kind, { fields }]) =>
    Object.keys(fields).map((field) => `${kind}.${field}`),
  );
  expect(supported.filter((field) => !used.has(field))).toEqual(['License.url', 'Operation.x-internal']);
  const formats = new Set(nodes.map(({ value }) => (value as { format?: unknown }).format));
  expect(
    Object.values(FORMATS)
      .flat()
      .filter((format) => !formats.has(format)),
  ).toEqual([]);
});
