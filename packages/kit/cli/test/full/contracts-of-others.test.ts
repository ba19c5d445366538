import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '@contract-kit/test-support/testing';
import { parseContract } from '@contract-kit/core/openapi';
import { routeFinder } from '@contract-kit/core/http';
import { checkFile } from '../../src/check/check-file.ts';

const WORKS = 'shop.yaml: works (open to everyone: no operation requires security)';

const DONE = "{ '204': { description: Done. } }";

const TEXT = '{ content: { application/json: { schema: { type: string } } }, description: A text. }';

const inPath = (name: string, schema = '{ type: string }') =>
  `{ name: ${name}, in: path, required: true, schema: ${schema} }`;

test.each([
  [
    'lines of a quoted text right below its key, as SnakeYAML writes them for springdoc',
    `  /items:
    get:
      summary: "All items \\
      \\ of the shop: \\"new\\"
      and old"
      description: 'One
      text'
      responses: ${DONE}`,
    [WORKS],
  ],
  [
    'a 204 that refers to a response with a body',
    `  /items/{id}:
    parameters: [${inPath('id')}]
    delete: { responses: { '204': { $ref: '#/components/responses/Wrong' }, '404': { $ref: '#/components/responses/Wrong' } } }
components: { responses: { Wrong: ${TEXT} } }`,
    [WORKS, 'shop.yaml:6:28: a 204 has no body (RFC 9110 §15): its content is ignored'],
  ],
  [
    'a path of which another one is a part',
    `  /galleries/{page}.{format}: { get: { parameters: [${inPath('page', '{ type: integer }')}, ${inPath('format')}], responses: ${DONE} } }
  /galleries/{page}t.{format}: { get: { parameters: [${inPath('page', '{ type: integer }')}, ${inPath('format')}], responses: { '200': ${TEXT} } } }
  /galleries/cover.{format}: { get: { parameters: [${inPath('format')}], responses: { '200': ${TEXT} } } }`,
    [WORKS],
  ],
  [
    'a parameter of another path of the same method, as Swashbuckle writes it',
    `  /: { get: { parameters: [${inPath('path')}], responses: ${DONE} } }
  /pages/{path}: { get: { parameters: [${inPath('path')}], responses: ${DONE} } }`,
    [WORKS, 'shop.yaml:4:28: the parameter path is ignored: it is not in the path'],
  ],
  [
    'a field that is required beside allOf, and that no part declares, as DigitalOcean writes it',
    `  /checks:
    post:
      requestBody:
        required: true
        content: { application/json: { schema: { required: [name, method], allOf: [{ $ref: '#/components/schemas/Check' }] } } }
      responses: ${DONE}
components: { schemas: { Check: { type: object, properties: { name: { type: string } } } } }`,
    [
      WORKS,
      'shop.yaml:8:67: method is required but not declared: it may have any value; add it to properties',
    ],
  ],
  [
    'an error that is an object without properties',
    `  /items/{id}:
    get:
      parameters: [${inPath('id')}]
      responses:
        '204': { description: Done. }
        '400': { description: No., content: { application/json: { schema: { type: object, properties: {} } } } }`,
    [WORKS],
  ],
  [
    'two operations with one operationId, as tsoa writes them',
    `  /a: { post: { operationId: Post, responses: ${DONE} } }
  /b: { post: { operationId: Post, responses: ${DONE} } }`,
    [
      WORKS,
      'shop.yaml:5:30: operationId Post is that of POST /a, too: its method and path name this operation; write another',
    ],
  ],
  [
    'an error with the path of its request as a URI reference',
    `  /items/{id}:
    get:
      parameters: [${inPath('id')}]
      responses:
        '204': { description: Done. }
        '400': { description: No., content: { application/problem+json: { schema: { $ref: '#/components/schemas/Problem' } } } }
components:
  schemas:
    Problem: { type: object, properties: { title: { type: string }, instance: { type: string, format: uri-reference } } }`,
    [WORKS],
  ],
  [
    'an error within an error that is an allOf of one, as TypeSpec writes it',
    `  /items:
    get:
      responses:
        '204': { description: Done. }
        default: { description: No., content: { application/json: { schema: { $ref: '#/components/schemas/Wrong' } } } }
components:
  schemas:
    Wrong: { type: object, properties: { error: { allOf: [{ $ref: '#/components/schemas/Inner' }] } } }
    Inner: { type: object, properties: { code: { type: string }, inner: { allOf: [{ $ref: '#/components/schemas/Inner' }] } } }`,
    [WORKS],
  ],
])('%s is served', async (_what, paths, lines) => {
  const file = path.join(newFolder(), 'shop.yaml');
  writeFileSync(file, `openapi: 3.0.3\ninfo: { title: Shop, version: '1' }\npaths:\n${paths}\n`);
  expect(await checkFile(file)).toMatchObject({
    works: true,
    lines: lines.map((line) => line.replace('shop.yaml', file)),
  });
});

test('the value of a quoted text is the same, wherever its lines begin, and a text without an end is refused', () => {
  const titleOf = (written: string) => {
    const text = `openapi: 3.1.0\ninfo:\n  version: '1'\n  title: ${written}\npaths: {}\n`;
    const { info } = parseContract(text).document as { readonly info: { readonly title: string } };
    return info.title;
  };
  expect(titleOf('"A \\\n  \\ shop\n\n  \\"Ä\\""')).toBe('A  shop\n"Ä"');
  expect(titleOf("'It''s\n  open'")).toBe("It's open");
  expect(titleOf('"A\nshop"')).toBe('A shop');
  expect(() => titleOf('"A\n  shop')).toThrow('Missing closing "quote');
});

test('of the paths that a request fits, the one with more text of its own is found, in any order of the contract', () => {
  const written = ['/{a}', '/{a}.{b}', '/x{a}.{b}', '/x{a}.json', '/x{a}/{b}', '/{a}/{b}s', '/{a}/{b}'];
  for (const paths of [written, written.toReversed()]) {
    const find = routeFinder(
      paths.map((each) => [each, { method: 'GET', path: each }]),
      '',
    );
    const found = (request: string) => find(request)?.operations['GET'];
    expect(['/y', '/y.a', '/xy.a', '/xy.json', '/xy/bs', '/y/bs', '/y/b'].map(found)).toEqual(written);
  }
});
