import { readModel } from '@contract-kit/core/model';
import { contractOf, parseContract } from '@contract-kit/core/openapi';
import { defineService, notYet } from '@contract-kit/server';
import { createFuzzer, type Target } from '../src/fuzz/index.ts';
import { createTestTools } from './support.ts';

/* The generated test finds requests that a contract allows, and expects what the server does. */

const ADDRESS = "{ type: string, minLength: 12, maxLength: 20, pattern: '^[0-9a-f:-]+$' }";
const PASSWORD = `{ type: string, minLength: 8, maxLength: 64, pattern: '^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d)(?=.*[!?])\\S+$' }`;
const MAIL = '{ type: string, format: email, minLength: 40, maxLength: 60 }';
const CAPTION = '{ type: object, required: [text], properties: { text: { type: string, minLength: 1 } } }';

const json = (schema: string) => `{ required: true, content: { application/json: { schema: ${schema} } } }`;
const form = (schema: string, encoding = '{}') =>
  `{ required: true, content: { multipart/form-data: { schema: ${schema}, encoding: ${encoding} } } }`;
const encoded = (schema: string, encoding: string) =>
  `{ required: true, content: { application/x-www-form-urlencoded: { schema: ${schema}, encoding: ${encoding} } } }`;
const object = (required: string, properties: string) =>
  `{ type: object, required: [${required}], properties: { ${properties} } }`;
const query = (schema: string, more = '') =>
  `[{ name: q, in: query, required: true, ${more} schema: ${schema} }]`;
const ref = (name: string) => `{ $ref: '#/components/schemas/${name}' }`;

/** Parts of operations, by what is special about them. */
const OPERATIONS: Readonly<Record<string, string>> = {
  'a pattern and a long least length': `parameters: ${query(ADDRESS)}`,
  'a password with lookaheads': `requestBody: ${json(object('password, mail', `password: ${PASSWORD}, mail: ${MAIL}`))}`,
  'a pattern and a length in two parts': `parameters: ${query(`{ allOf: [{ type: string, pattern: '^[a-z]+$' }, { minLength: 9 }] }`)}`,
  'a part of a form that is an object': `requestBody: ${form(object('caption', `caption: ${CAPTION}, picture: { type: string, format: binary }`))}`,
  'parts of a form that are lists': `requestBody: ${form(
    object(
      'captions, sizes',
      `captions: { type: array, minItems: 1, items: ${CAPTION} }, sizes: { type: array, minItems: 2, items: { type: integer } }`,
    ),
    '{ captions: { contentType: application/json } }',
  )}`,
  'styles in a form': `requestBody: ${encoded(
    object(
      'card, ids, codes',
      `card: ${CAPTION}, ids: { type: array, minItems: 2, items: { type: integer } }, codes: { type: array, minItems: 2, items: { type: string, minLength: 1 } }`,
    ),
    '{ card: { style: deepObject, explode: true }, ids: { explode: false }, codes: { style: pipeDelimited } }',
  )}`,
  'a list with pipes': `parameters: ${query('{ type: array, minItems: 2, items: { type: integer } }', 'style: pipeDelimited, explode: false,')}`,
  'a discriminator whose branches have no tag': `requestBody: ${json(ref('Task'))}`,
  'a discriminator in a list, with other alternatives': `requestBody: ${json(object('all', `all: { type: array, minItems: 1, items: { anyOf: [${ref('Task')}, { type: 'null' }] } }`))}`,
  'a base with a discriminator': `requestBody: ${json(ref('Animal'))}`,
  'what extends a base': `requestBody: ${json(ref('Cat'))}`,
  'names with a pattern': `requestBody: ${json("{ type: object, minProperties: 2, propertyNames: { pattern: '^[a-z]{3}$' }, additionalProperties: { type: number } }")}`,
  'a number between two others': `requestBody: ${json(object('share', 'share: { type: number, exclusiveMinimum: 0, exclusiveMaximum: 1 }'))}`,
  'a body that may be too large': `x-body-limit: 60, requestBody: ${json(object('text', 'text: { type: string, minLength: 10, maxLength: 200 }'))}`,
  'a parameter that makes the URL too long': `parameters: ${query('{ type: string, minLength: 3000 }')}`,
  'different items': `requestBody: ${json('{ type: array, minItems: 3, uniqueItems: true, items: { enum: [a, b, c, d] } }')}`,
};
const titles = Object.keys(OPERATIONS);
const idOf = (title: string) => `post${titles.indexOf(title)}`;

/** Operations whose responses are special. */
const RESPONSES = `
  /same/{one}:
    parameters: [{ name: one, in: path, required: true, schema: { type: string } }]
    get: { operationId: getSame, responses: { '204': { description: Done. } } }
  /same/{other}:
    parameters: [{ name: other, in: path, required: true, schema: { type: string } }]
    put: { operationId: putSame, responses: { '204': { description: Done. } } }
  /failing:
    get:
      operationId: getFailing
      responses:
        '204': { description: Done. }
        '400': { description: No., content: { application/json: { schema: { type: object, required: [reason], additionalProperties: false, properties: { reason: { type: string } } } } } }
        default: { description: Any other failure. }
`;

const contract = contractOf(
  parseContract(`openapi: 3.1.0
info: { title: Odd values, version: '1' }
paths:
${RESPONSES}
${titles.map((title, index) => `  /${index}: { post: { operationId: ${idOf(title)}, ${OPERATIONS[title]}, responses: { '204': { description: Done. } } } }`).join('\n')}
components:
  schemas:
    Task:
      oneOf: [${ref('daily')}, ${ref('single')}]
      discriminator: { propertyName: kind }
      required: [kind]
      properties: { kind: { type: string, enum: [daily, single] } }
    daily: { type: object, required: [hour], properties: { hour: { type: integer } } }
    single: { type: object, required: [at], properties: { at: { type: string, format: date } } }
    Animal:
      type: object
      required: [kind]
      properties: { kind: { type: string } }
      discriminator: { propertyName: kind, mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' } }
    Cat: { allOf: [${ref('Animal')}, { type: object, required: [lives], properties: { lives: { type: integer, minimum: 1 } } }] }
    Dog: { allOf: [${ref('Animal')}, { type: object, required: [pack], properties: { pack: { type: integer } } }] }
`),
  { name: 'odd-values', keyPrefix: 'odd_', databaseFile: 'store.db' },
);
const handlers = Object.fromEntries(readModel(contract.document).operations.map(({ id }) => [id, notYet]));
const untouched = defineService(
  contract,
  { all: { open: () => ({}), handlers: () => handlers } },
  {
    version: '1.0.0',
    description: 'Odd values.',
    errorBody: ({ message }) => ({ reason: message }),
  },
);
const fuzzer = createFuzzer(contract);
let target: Target;

beforeAll(async () => {
  target = await fuzzer.targetOf(
    await createTestTools(untouched).startTestService({ validatesResponses: false }),
  );
});

function operationOf(id: string) {
  const operation = fuzzer.operations.find((item) => item.id === id);
  if (!operation) throw new Error(`no operation ${id}`);
  return operation;
}

/** Sends requests to an operation, and expects 501 for some. */
async function fuzz(id: string): Promise<void> {
  const operation = operationOf(id);
  for (const seed of [1, 2]) {
    const seen = await fuzzer.fuzz(operation, target, { seed, numRuns: 20 });
    expect([...seen.keys()]).toContain(501);
  }
}

test.each(titles)('valid requests are found and reach the handler, on any seed: %s', (title) =>
  fuzz(idOf(title)),
);

test.each([
  ['two templates of one path share its methods', ['getSame', 'putSame']],
  ['a default without content is not about what is not implemented', ['getFailing']],
])('%s', async (_, ids) => {
  for (const id of ids) await fuzz(id);
});

test('a service that accepts a body beyond its limit is reported', async () => {
  const ask: Target['ask'] = async (request) => {
    const answer = await target.ask(request);
    if (answer.status !== 413) return answer;
    const headers = Object.entries(answer.headers).filter(([name]) => name !== 'content-type');
    return { ...answer, status: 204, headers: Object.fromEntries(headers), body: '' };
  };
  const operation = operationOf(idOf('a body that may be too large'));
  const report = fuzzer.fuzz(operation, { ...target, ask }, { seed: 1, numRuns: 50 });
  await expect(report).rejects.toThrow(
    / gets 204\n {2}expected: .*413\n {2}rule: {5}its body has \d+ bytes, and may have 60, unless x-body-limit/,
  );
});
