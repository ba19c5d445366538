import fs, { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newFolder } from '@contract-kit/test-support/testing';
import { contractOf, parseContract } from '@contract-kit/core/openapi';
import { checkFile, NAMES } from '../../src/check/check-file.ts';
import { compile } from '../../src/check/compile.ts';
import { clientOperationsOf } from '@contract-kit/client/operations';
import { readModel } from '@contract-kit/core/model';

/** What `npm run contract:check` prints for a contract with this schema of its errors, and whether it works. */
async function check(error: string): Promise<[works: boolean, lines: string[]]> {
  const file = path.join(newFolder(), 'shop.yaml');
  writeFileSync(
    file,
    `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /items:
    get:
      responses:
        '200': { description: Items., content: { application/json: { schema: { type: array, items: {} } } } }
        '4XX': { description: No., content: { application/json: { schema: ${error} } } }
      deprecated: true
      x-deprecated-since: '2026-11-01'
    trace: { responses: { '204': { description: Nothing. } } }
`,
  );
  const { works, lines } = await checkFile(file);
  return [works, lines.map((line) => line.replace(file, 'shop.yaml'))];
}

const WORKS =
  'shop.yaml: works (open to everyone: no operation requires security), but 1 of 2 operations was not tried: traceItems';
const PART =
  'shop.yaml: 1 of 2 operations work: correct what follows, or `create --leave-out` leaves the others out';
const TRACE = 'shop.yaml:11:5: traceItems was not tried: fetch sends no TRACE';

test('a contract works if it can be generated from, compiles and is served as declared', async () => {
  expect(
    await check('{ type: object, required: [reason], properties: { reason: { type: string } } }'),
  ).toEqual([true, [WORKS, TRACE]]);
});

test('a declared error that no error of the server fits is refused with its place', async () => {
  expect(
    await check('{ type: object, required: [id], properties: { id: { type: string, pattern: "^(?!)" } } }'),
  ).toEqual([
    false,
    [
      PART,
      'shop.yaml:8:9: no error that the server sends fits this response: its field id must match pattern "^(?!)"; give the field an example that fits, or do not require it',
    ],
  ]);
});

test('an error of which every value fits two branches is refused, and the remedy works', async () => {
  const common = '{ type: object, properties: { message: { type: string } } }';
  const more = '{ type: object, properties: { errors: { type: array, items: { type: object } } } }';
  const branches = (keyword: string) =>
    `{ ${keyword}: [{ allOf: [${common}, ${more}] }, { allOf: [${common}] }] }`;
  expect(await check(branches('oneOf'))).toEqual([
    false,
    [
      PART,
      'shop.yaml:8:9: no error that the server sends fits this response: it must match exactly one schema in oneOf; write anyOf if more than one may fit',
    ],
  ]);
  expect(await check(branches('anyOf'))).toEqual([true, [WORKS, TRACE]]);
});

test('an error that many responses declare and no error fits is said once, and a broken example is a remark', async () => {
  const file = path.join(newFolder(), 'shop.yaml');
  const text = (id: string) => `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /items:
    get: { responses: { '200': { description: Items. }, '400': { $ref: '#/components/responses/Wrong' } } }
  /parts:
    get: { responses: { '200': { description: Parts. }, 4XX: { $ref: '#/components/responses/Gone' } } }
components:
  responses:
    Wrong: { description: Wrong., content: { application/json: { schema: { $ref: '#/components/schemas/Failure' } } } }
    Gone: { description: Gone., content: { application/json: { schema: { $ref: '#/components/schemas/Failure' } } } }
  schemas:
    Failure: { type: object, required: [id], properties: { id: { type: string, ${id} } } }
`;
  const linesFor = async (id: string) => {
    writeFileSync(file, text(id));
    return (await checkFile(file)).lines.map((line) => line.replace(file, 'shop.yaml'));
  };
  expect(await linesFor('pattern: ^(?!)')).toEqual([
    'shop.yaml:10:5: no error that the server sends fits this response: its field id must match pattern "^(?!)"; give the field an example that fits, or do not require it (and 1 more: 11:5)',
  ]);
  expect(await linesFor('format: uuid, example: req_1')).toEqual([
    'shop.yaml: works (open to everyone: no operation requires security)',
    'shop.yaml:13:103: the example does not fit the schema: it must match format "uuid"',
  ]);
});

test('what other tools take is served, with a remark where it is broken but harmless', async () => {
  const file = path.join(newFolder(), 'shop.yaml');
  writeFileSync(
    file,
    `openapi: 3.1.0
info: { title: Shop, version: '1' }
servers: []
security: [{ digest: [] }, { token: [] }]
paths:
  /items/{itemId}:
    x-owner:
    get:
      parameters: [{ name: itemId, in: path, required: true, schema: { type: string } }]
      responses:
        x-cache: { ttl: 60 }
        '101': { description: Switching protocols. }
        '200': { description: An item., content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
  /items/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer, format: int64 } }]
    put:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
      responses: { '302': { description: Elsewhere., headers: { Location: { required: true, schema: { type: string }, example: 'http://127.0.0.1:9/' } } } }
components:
  securitySchemes:
    digest: { type: http, scheme: digest }
    token: { type: http, scheme: bearer }
  schemas:
    Item:
      type: object
      required: [constructor]
      x-note: { $ref: 'http://127.0.0.1:9/' }
      properties:
        constructor: { type: string }
        toString: { type: integer, example: }
        price: { type: string, pattern: '^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$' }
`,
  );
  const { works, lines } = await checkFile(file);
  expect([works, lines.map((line) => line.replace(file, 'shop.yaml'))]).toEqual([
    true,
    [
      'shop.yaml: works',
      expect.stringMatching(/^shop.yaml:27:23: what the reference leads to is left out.*copy the file below/),
      'shop.yaml:4:12: digest is left out: the service cannot check it, and callers use the others',
      'shop.yaml:14:3: the path differs from /items/{itemId} only in the names of its parameters: write one path',
      'shop.yaml:12:9: 101 is documentation: the server sends final statuses, from 200 to 599',
      'shop.yaml:30:36: the example does not fit the schema: it must be integer',
    ],
  ]);
});

test('a status beside default has its own media types and types of headers, and bytes may have any type', async () => {
  const file = path.join(newFolder(), 'shop.yaml');
  const text = `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /picture:
    get:
      responses:
        '200':
          description: A picture.
          headers: { X-Count: { schema: { type: integer } } }
          content: { application/octet-stream: { schema: { type: string, format: binary } } }
        default:
          description: No.
          headers: { X-Count: { schema: { type: string } } }
          content: { application/json: { schema: { type: object } }, application/xml: { schema: { type: string } } }
  /file:
    get: { responses: { '200': { description: A file., content: { '*/*': { schema: { type: string, format: binary } } } } } }
`;
  writeFileSync(file, text);
  expect((await checkFile(file)).lines).toEqual([
    `${file}: works (open to everyone: no operation requires security)`,
  ]);
  const operations = clientOperationsOf(readModel(contractOf(parseContract(text), NAMES).document));
  expect(operations['getPicture']).toMatchObject({
    headerTypes: { 200: {}, default: { 'X-Count': 'string' } },
  });
});

/** Types of TypeScript that are no values of JavaScript. */
const TYPES = [
  ...['AsyncGenerator', 'AsyncIterable', 'Awaited', 'Exclude', 'Extract', 'Iterable', 'NonNullable', 'Omit'],
  ...['Parameters', 'Partial', 'Pick', 'PromiseLike', 'Readonly', 'Record', 'Required', 'ReturnType'],
];

test('a schema may have the name of any type or value of JavaScript and TypeScript', async () => {
  const globals = Object.getOwnPropertyNames(globalThis).filter((name) => /^[A-Z]\w*$/.test(name));
  const names = [...new Set([...globals, ...TYPES])];
  expect(names).toEqual(expect.arrayContaining(['Date', 'Error', 'Map']));
  const schema = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const content = (body: object) => ({ content: { 'application/json': { schema: body } } });
  const paths = names.map((name): [string, object] => [
    `/${name}`,
    {
      get: {
        responses: { 200: { description: 'All.', ...content({ type: 'array', items: schema(name) }) } },
      },
      post: {
        requestBody: content(schema(name)),
        responses: { 200: { description: 'One.', ...content(schema(name)) } },
      },
    },
  ]);
  const schemas = names.map((name): [string, object] => [
    name,
    { type: 'object', properties: { next: schema(name) } },
  ]);
  const file = path.join(newFolder(), 'names.json');
  const contract = {
    openapi: '3.1.0',
    info: { title: 'Names', version: '1' },
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(schemas) },
  };
  writeFileSync(file, JSON.stringify(contract));
  expect((await checkFile(file)).lines).toEqual([expect.stringContaining(': works')]);
});

test('a contract that works is followed by remarks on what is ignored, each with its place', async () => {
  expect(
    await check(
      '{ type: object, required: [reason], properties: { reason: { type: string }, at: { type: string, format: datetime } } }',
    ),
  ).toEqual([
    true,
    [WORKS, TRACE, 'shop.yaml:8:179: the format datetime is not known: did you mean date-time?'],
  ]);
});

test('parts of which no example can be made are named, and the others are tried', async () => {
  const file = path.join(newFolder(), 'shop.yaml');
  writeFileSync(
    file,
    `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /items/{code}:
    parameters: [{ name: code, in: path, required: true, schema: { type: string, not: { type: string } } }]
    get: { responses: { '204': { description: Done. } } }
  /sizes:
    get:
      responses:
        '200': { description: Sizes., content: { application/json: { schema: { type: integer, not: { type: number } } } } }
  /texts:
    get:
      parameters: [{ name: body, in: query, schema: { type: string } }]
      responses: { '204': { description: Done. } }
  /forms:
    post:
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema: { type: object, required: [file], properties: { file: { type: string, format: binary } } }
      responses: { '204': { description: Done. } }
`,
  );
  const { works, lines } = await checkFile(file);
  const none = 'no value that fits it can be made';
  expect([works, lines.map((line) => line.replace(file, 'shop.yaml'))]).toEqual([
    true,
    [
      'shop.yaml: works (open to everyone: no operation requires security), but 2 of 4 operations were not tried: getItemsByCode, getSizes',
      `shop.yaml:6:5: getItemsByCode was not tried: code: ${none}: not excludes "text", which must NOT be valid; give it an example`,
      `shop.yaml:8:5: getSizes was not tried: its response: ${none}: the body: not excludes 1, which must NOT be valid; give it an example`,
    ],
  ]);
});

test('a path is tried with a value that no other path has as a segment', async () => {
  const file = path.join(newFolder(), 'shop.yaml');
  const done = "responses: { '204': { description: Done. } }";
  writeFileSync(
    file,
    `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /items/text: { get: { ${done} } }
  /items/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { ${done} }
    patch: { ${done} }
`,
  );
  expect((await checkFile(file)).lines).toEqual([
    `${file}: works (open to everyone: no operation requires security)`,
  ]);
});

test('an example with a number that JavaScript would round is not sent', () => {
  const contract = parseContract(`openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /serial: { get: { responses: { '200': { description: A., content: { application/json: { schema: { type: object }, example: { serial: 9101305761976670746388 } } } } } } }
`);
  expect(contractOf(contract, NAMES).examples).toEqual({ getSerial: { status: 200, body: {} } });
});

test('an operation that the client or the tool cannot call is refused with its place, and the remedy', async () => {
  const file = path.join(newFolder(), 'shop.yaml');
  const racks = (properties: string) =>
    `{ type: object, properties: { slots: { type: array, items: { type: object, properties: { ${properties} } } } } }`;
  writeFileSync(
    file,
    `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /racks:
    get:
      responses:
        '200':
          description: Two views.
          content: { application/json: { schema: { oneOf: [${racks('id: { type: string }, watts: { type: integer }')}, ${racks('id: { type: string }')}] } } }
`,
  );
  const { works, lines } = await checkFile(file);
  expect([works, lines.map((line) => line.replace(file, 'shop.yaml'))]).toEqual([
    false,
    [
      expect.stringMatching(
        /^shop.yaml:5:5: GET \/racks through the tool for agents: .* in oneOf: write anyOf if more than one may fit$/,
      ),
    ],
  ]);
});

test('an example that its place cannot carry is replaced', async () => {
  const file = path.join(newFolder(), 'shop.yaml');
  const text = `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /items/{code}:
    get:
      parameters: [{ name: code, in: path, required: true, example: '..', schema: { type: string } }]
      responses: { '204': { description: Done. } }
`;
  writeFileSync(file, text);
  expect((await checkFile(file)).lines).toEqual([
    `${file}: works (open to everyone: no operation requires security)`,
  ]);
});

const OBJECT = '{ type: object, properties: { x: { type: integer }, y: { type: integer } } }';
const OWN_ERROR =
  "{ responses: { '204': { description: Done. }, '400': { description: Wrong., content: { application/json: { schema: { type: object, properties: { errors: { type: object } } } } } }, '422': { description: Wrong., content: { application/json: { schema: { type: object } } } } } }";
const ERROR = '{ type: object, required: [message], properties: { message: { type: string } } }';

test.each([
  [
    'an object in a path',
    `/at/{p}: { get: { parameters: [{ name: p, in: path, required: true, explode: true, schema: ${OBJECT} }], responses: { '204': { description: Done. } } } }`,
  ],
  [
    'int64 as text',
    `/parts/{id}: { get: { parameters: [{ name: id, in: path, required: true, schema: { type: string, format: int64 } }, { name: after, in: query, schema: { type: string, format: uint64 } }], responses: { '204': { description: Done. } } } }`,
  ],
  [
    'a redirect or an error',
    `/go: { get: { responses: { '302': { description: Elsewhere., headers: { Location: { schema: { type: string } } } }, default: { description: An error., content: { application/json: { schema: ${ERROR} } } } } } }`,
  ],
  [
    'a read-only parameter',
    `/alerts/{alert}: { get: { parameters: [{ name: alert, in: path, required: true, schema: { type: integer, readOnly: true } }], responses: { '204': { description: Done. } } } }`,
  ],
  [
    'an error of its own, also for a path that cannot be decoded',
    `/shops/{id}: { parameters: [{ name: id, in: path, required: true, schema: { type: string } }], get: ${OWN_ERROR}, put: ${OWN_ERROR}, patch: ${OWN_ERROR}, delete: ${OWN_ERROR} }`,
  ],
  [
    'XML alone',
    `/xml: { post: { requestBody: { required: true, content: { application/xml: { schema: ${OBJECT} } } }, responses: { '200': { description: It., content: { application/xml: { schema: ${OBJECT} } } } } } }`,
  ],
])('its own sample is right, and its generated test is green: %s', async (_, item) => {
  const file = path.join(newFolder(), 'shop.yaml');
  writeFileSync(file, `openapi: 3.1.0\ninfo: { title: Shop, version: '1' }\npaths:\n  ${item}\n`);
  const [line] = (await checkFile(file)).lines;
  expect(line).toBe(`${file}: works (open to everyone: no operation requires security)`);
});

test('a broken installation is not blamed on a place of the contract', async () => {
  const file = path.join(newFolder(), 'shop.yaml');
  writeFileSync(
    file,
    'openapi: 3.1.0\ninfo: { title: Shop, version: "1" }\npaths: { /a: { get: { responses: {} } } }\n',
  );
  const full = jest.spyOn(fs, 'mkdtempSync').mockImplementation(() => {
    throw new Error(`ENOSPC: no space left on device, mkdtemp '${path.join(tmpdir(), 'contract-check-a')}'`);
  });
  const outcome = await checkFile(file).finally(() => full.mockRestore());
  const lines = [
    `${file}: could not be checked: ENOSPC: no space left on device, mkdtemp 'contract-check-a'`,
  ];
  expect(outcome).toMatchObject({ works: false, lines });
  await expect(
    compile({ 'index.ts': "import type { A } from '@contract-kit/absent';\nexport type B = A;\n" }),
  ).rejects.toThrow('the compiler failed');
  expect(await compile({ 'index.ts': 'const text: string = 1;\n' })).toMatch('index.ts:1: Type');
});

test.each([
  ['openapi.yaml', /^$/],
  ['behind.yaml', /^$/],
  ['newest.yaml', /^$/],
  ['documented.yaml', /^$/],
  ['supported.yaml', /^ \(open to everyone: no operation requires security\)$/],
  ['unusual.yaml', /^ \(open to everyone: no operation requires security\)$/],
  // Its reference is the page of lists that hold themselves.
  ['bodies.yaml', /^ \(open to everyone: no operation requires security\)$/],
  // fetch sends no TRACE.
  ['open.yaml', /^, but 1 of \d+ operations was not tried: traceShelvesByIdsByNameJson$/],
])('every operation of the kitchen sink %s is tried', async (name, untried) => {
  const file = path.join(import.meta.dirname, '../../../../test-support/kitchen-sink', name);
  const [line] = (await checkFile(file)).lines;
  expect(line?.replace(`${file}: works`, '')).toMatch(untried);
});

test('a name that tools for agents cannot have is changed, without a word of the library', async () => {
  const warn = jest.spyOn(console, 'warn');
  const file = path.join(newFolder(), 'shop.yaml');
  const long = 'a'.repeat(130);
  writeFileSync(
    file,
    `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
${['a$b', 'a_b', long, `${long}b`].map((id, index) => `  /${index}: { get: { operationId: ${id}, responses: { '204': { description: Done. } } } }`).join('\n')}
`,
  );
  expect(await checkFile(file)).toMatchObject({ works: true, lines: [expect.stringContaining('works')] });
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});
