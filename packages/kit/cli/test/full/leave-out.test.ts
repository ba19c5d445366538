import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '@contract-kit/test-support/testing';
import { parseContract } from '@contract-kit/core/openapi';
import { checkFile } from '../../src/check/check-file.ts';
import { createBare } from '../support/create-bare.ts';

/* An operation that cannot be served does not keep the others from being checked, and `create --leave-out` from serving them. */

/** Two operations work: GET /loans and PUT /copies. */
const LIBRARY = `openapi: 3.1.0
info: { title: Library, version: '1' }
# All that the library lends.
paths:
  /loans:
    get: { responses: { '200': { description: Loans., links: { lost: { operationId: loseLoan } } } } }
    post: { responses: { '200': { $ref: '#/components/responses/Loan' } } }
    delete: { operationId: loseLoan, x-internal: true, responses: { '204': { description: Gone. } } }
  /loans/{id}{kind}:
    get: { responses: { '200': { description: A loan. } } }
  /copies:
    put: { responses: { '200': { description: A copy. } } }
  /shelves:
    parameters: [{ name: room, in: query, schema: { $ref: '#/components/schemas/Room' } }]
    get: { responses: { '200': { description: Shelves. } } }
    post: { responses: { '200': { description: Shelves. } } }
  /staff:
    get: { security: [{ card: [] }], responses: { '200': { description: Staff. } } }
  /two:
    get:
      responses:
        '400': { description: No., content: { application/json: { schema: { type: object, required: [id], properties: { id: { pattern: '^(?!)', type: string } } } } } }
components:
  securitySchemes: { card: { type: mutualTLS } }
  responses: { Loan: { description: A loan., content: { application/json: { schema: { $ref: '#/components/schemas/Loan' } } } } }
  schemas:
    Loan: { type: object, properties: { copy: { $ref: '#/components/schemas/Copy' } } }
    Copy: { type: objekt }
    Room: { type: text }
`;

function written(text: string, name = 'library.yaml'): string {
  const file = path.join(newFolder(), name);
  writeFileSync(file, text);
  return file;
}

async function createFrom(file: string, leavesOut: boolean) {
  const folder = path.join(newFolder(), 'library');
  const said = await createBare(folder, file, leavesOut);
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
  return { said, contract: read('openapi.yaml'), readme: read('README.md') };
}

const operationsIn = (text: string) =>
  parseContract(text).model.operations.map(({ method, path }) => `${method} ${path}`);

const LEFT_OUT = [
  'POST /loans: library.yaml',
  'DELETE /loans: library.yaml',
  'GET /loans/{id}{kind}: library.yaml',
  'GET /shelves: library.yaml',
  'POST /shelves: library.yaml',
  'GET /staff: library.yaml',
  'GET /two: library.yaml',
];

test('a contract is checked as a whole, and all its problems are said at once', async () => {
  const { works, lines } = await checkFile(written(LIBRARY));
  expect(works).toBe(false);
  expect(lines[0]).toMatch(/: 2 of 9 operations work: correct what follows, or `create --leave-out`/);
  // The last is found by the server of the others.
  for (const message of [
    'x-internal',
    'touch each other',
    'mutual TLS',
    'objekt',
    'text',
    'must match pattern',
  ])
    expect(lines.filter((line) => line.includes(message)).length).toBeGreaterThan(0);
  expect(lines.slice(1).filter((line) => !/library.yaml:\d+:\d+: \S/.test(line))).toEqual([]);
});

test('`create` refuses it, and with `--leave-out` copies what works, and names the rest with place and reason', async () => {
  const file = written(LIBRARY);
  await expect(createFrom(file, false)).rejects.toThrow('2 of 9 operations work');
  const { said, contract, readme } = await createFrom(file, true);
  expect(operationsIn(contract)).toEqual(['GET /loans', 'PUT /copies']);
  expect(contract).toContain('# All that the library lends.');
  // Nothing refers to what is gone.
  expect(contract).not.toMatch(/lost:|Room|Copy|objekt/);
  for (const part of LEFT_OUT) {
    const line = new RegExp(`^${part.replaceAll(/[{}]/g, '\\$&')}:\\d+:\\d+: \\S`, 'm');
    expect(said).toMatch(line);
    expect(readme).toMatch(line);
  }
  expect(said).toMatch(/^library is made: 2 operations, none of them implemented yet\.$/m);
  expect((await checkFile(written(contract))).works).toBe(true);
});

test('a sound contract loses nothing, and one without an operation that works is refused', async () => {
  const [head = ''] = LIBRARY.split('    post:');
  const sound = await createFrom(written(head), true);
  expect(sound.contract).toBe(head);
  expect(sound.readme).not.toContain('Left out');
  const none = head.replace('200', '2000');
  await expect(createFrom(written(none), true)).rejects.toThrow(/library.yaml:6:\d+: /);
  const broken = head.replace('version:', 'version');
  await expect(createFrom(written(broken), true)).rejects.toThrow(/library.yaml:\d+:\d+: /);
});

test.each([
  ['JSON', (document: string) => document],
  [
    'an anchor in what is left out',
    (document: string) =>
      document
        .replace('"responses":{"200":{"description":"A."', '"responses":{"200":&ok {"description":"A."')
        .replace('{"description":"B."}', '*ok'),
  ],
])('the copy is sound: %s', async (_what, change) => {
  const document = {
    openapi: '3.0.3',
    info: { title: 'Shop', version: '1' },
    paths: {
      '/a': { get: { 'x-internal': true, responses: { 200: { description: 'A.' } } } },
      '/b': { get: { responses: { 200: { description: 'B.' } } } },
    },
  };
  const { contract } = await createFrom(written(change(JSON.stringify(document))), true);
  expect(operationsIn(contract)).toEqual(['GET /b']);
  expect((await checkFile(written(contract), { isQuick: true })).works).toBe(true);
});

test('of a contract in several files the copy has what works, with the places of their files', async () => {
  const file = written(`openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /a: { $ref: parts/paths.yaml#/a }
  /b: { get: { responses: { '200': { $ref: 'parts/paths.yaml#/good' } } } }
  /c: { get: { responses: { '200': { $ref: 'parts/paths.yaml#/bad' } } } }
`);
  mkdirSync(path.join(path.dirname(file), 'parts'));
  writeFileSync(
    path.join(path.dirname(file), 'parts/paths.yaml'),
    `a: { get: { x-internal: true, responses: { '200': { description: A. } } } }
good: { description: B. }
bad: { description: C., content: { application/json: { schema: { type: strin } } } }
`,
  );
  const { said, contract } = await createFrom(file, true);
  expect(operationsIn(contract)).toEqual(['GET /b']);
  expect(said).toMatch(/^GET \/a: \S*parts\/paths.yaml:1:\d+: /m);
  expect(said).toMatch(/^GET \/c: \S*parts\/paths.yaml:3:\d+: /m);
  expect(existsSync(file)).toBe(true);
});

/** Schemes, path items and extensions that several operations use: what is left out, and what stays. */
const SHARED = `openapi: 3.1.0
info: { title: Library, version: '1' }
security: [{ card: [] }]
paths:
  /loans: { get: { security: [], responses: { '200': { description: Loans. } } } }
  /staff: { get: { responses: { '200': { description: Staff. } } } }
  /copies: { $ref: '#/components/pathItems/Copies', get: { security: [], responses: { '200': { description: Copies. } } } }
  /shelves: { $ref: '#/paths/~1copies' }
  /rooms: { $ref: '#/components/x-items/rooms' }
webhooks:
  lost: { $ref: '#/components/pathItems/Copies' }
components:
  securitySchemes: { card: { type: mutualTLS } }
  x-items: { rooms: { get: { security: [], responses: { '99': { description: Rooms. } } } } }
  pathItems:
    Copies:
      post: { security: [], responses: { '200': { description: A copy. } } }
      delete: { responses: { '204': { description: Gone. } } }
`;

test('what operations share goes with those that are left out, and stays for the others', async () => {
  const { said, contract, readme } = await createFrom(written(SHARED), true);
  expect(operationsIn(contract)).toEqual(['GET /loans', 'GET /copies', 'POST /copies']);
  for (const name of ['GET /staff', 'DELETE /copies', 'GET /rooms', '.* /shelves']) {
    expect(said).toMatch(new RegExp(`^${name}.*: library.yaml:\\d+:\\d+: \\S`, 'm'));
    expect(readme).toMatch(new RegExp(`^${name}.*: library.yaml:\\d+:\\d+: \\S`, 'm'));
  }
  expect((await checkFile(written(contract))).works).toBe(true);
});
