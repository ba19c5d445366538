import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder } from '@contract-kit/test-support/testing';
import type { Options } from '@contract-kit/client';
import { readContract } from '@contract-kit/core/openapi';
import { type AnyHandler, startForCheck } from '@contract-kit/server/internals';
import { checkFile, NAMES, sourcesOf } from '../../src/check/check-file.ts';
import { checkedOf } from '../../src/check/checked.ts';

/* A contract in several files whose components have names, ids and anchors of every kind, served as it is. */

const FILES = {
  'openapi.yaml': `openapi: 3.1.0
info: { title: Sizes, version: '1', description: { $ref: about.md } }
security: [{ 'API key (v1)': [] }]
paths:
  /things:
    post:
      operationId: addThing
      parameters: [{ $ref: '#/components/parameters/page«size»' }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/A~1B' } } } }
      responses:
        '200':
          description: The same.
          headers: { X-Total: { $ref: '#/components/headers/the total' } }
          links: { next: { $ref: 'parts/all.yaml#/Next' } }
          content: { application/json: { schema: { $ref: '#/components/schemas/A~1B' }, examples: { one: { $ref: '#/components/examples/der erste' } } } }
      callbacks: { done: { $ref: 'parts/all.yaml#/Done' } }
  /trees: { $ref: parts/trees.yaml }
webhooks: { changed: { $ref: parts/changed.yaml } }
components:
  securitySchemes: { 'API key (v1)': { type: http, scheme: bearer } }
  parameters: { 'page«size»': { name: size, in: query, schema: { $ref: '#/components/schemas/Größe' } } }
  headers: { the total: { required: true, schema: { type: integer } } }
  examples: { der erste: { value: { kind: 'a b', size: 3 } } }
  schemas:
    Größe: { type: integer, minimum: 1 }
    名前: { type: string }
    constructor: { type: string, maxLength: 5 }
    A/B: { oneOf: [{ $ref: '#/components/schemas/a b' }, { $ref: '#/components/schemas/a_b' }], discriminator: { propertyName: kind } }
    a b: { type: object, required: [kind, size], properties: { kind: { type: string }, size: { $ref: '#/components/schemas/Größe' }, short: { $ref: '#/components/schemas/constructor' } } }
    a_b: { type: object, required: [kind, name], properties: { kind: { type: string }, name: { $ref: '#/components/schemas/%E5%90%8D%E5%89%8D' } } }
`,
  'about.md': '# Sizes\n\n- of {things}: *all* of them\n',
  'parts/all.yaml': `Next: { operationId: getTree }
Done: { '{$request.query.url}': { $ref: changed.yaml } }
Tree:
  $id: https://sizes.example/tree.json
  $dynamicAnchor: tree
  type: object
  required: [leaf]
  properties:
    leaf: { $ref: '#leaf' }
    branches: { type: array, items: { $dynamicRef: '#tree' } }
    size: { $ref: '#/components/schemas/Größe' }
  $defs: { Leaf: { $anchor: leaf, type: string, minLength: 2 } }
`,
  'parts/changed.yaml':
    "post: { requestBody: { content: { application/json: { schema: { $ref: 'all.yaml#/Tree' } } } }, responses: { '204': { description: Done. } } }\n",
  'parts/trees.yaml': `get:
  operationId: getTree
  responses:
    '200': { description: A tree., content: { application/json: { schema: { $ref: 'https://sizes.example/tree.json' } } } }
`,
};

let file = '';
beforeAll(() => {
  const folder = newFolder();
  mkdirSync(path.join(folder, 'parts'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(path.join(folder, name), text);
  file = path.join(folder, 'openapi.yaml');
});

test('contract:check compiles its types, and calls each operation through the client and as a tool', async () => {
  const { works, lines } = await checkFile(file);
  expect([works, lines[0]]).toEqual([true, `${file}: works`]);
});

describe('served', () => {
  type Reply = { status: number; headers: Record<string, unknown>; body: unknown };
  type Method = (input?: unknown) => Promise<unknown> & { reply(): Promise<Reply> };
  let service: Awaited<ReturnType<typeof startForCheck>>;
  let client: Record<'addThing' | 'getTree', Method>;
  let received: Record<string, unknown> = {};
  let answer: object = {};

  beforeAll(async () => {
    const checked = checkedOf(await readContract(file), NAMES);
    const handlerOf = () =>
      ((input: object) => {
        received = { ...input };
        return answer;
      }) as AnyHandler;
    service = await startForCheck(checked.value, { dataDir: newFolder(), handlerOf });
    // Where the kit's packages resolve.
    const generated = path.join(import.meta.dirname, '../../node_modules/.cache/references');
    const written = newFolder();
    for (const [name, code] of Object.entries(await sourcesOf(checked)))
      writeFileSync(path.join(written, name), code);
    cpSync(written, generated, { recursive: true });
    const { createChecked } = jest.requireActual<{ createChecked: (options: Options) => typeof client }>(
      path.join(generated, 'index.ts'),
    );
    client = createChecked({ apiKey: service.key, baseUrl: service.origin, maxAttempts: 1 });
  });
  afterAll(() => service.stop());

  test.each([
    { kind: 'a b', size: 3 },
    { kind: 'a_b', name: 'x' },
  ])('a schema is told by the name that its author gave it: %j', async (body) => {
    answer = { status: 200, headers: { 'X-Total': 1 }, body };
    expect(await client.addThing({ size: 2, body })).toEqual(body);
    expect(received).toMatchObject({ query: { size: 2 }, body });
  });

  test('what does not fit a component is refused, by the field', async () => {
    await expect(client.addThing({ body: { kind: 'a b', size: 0 } })).rejects.toThrow(/size must be >= 1/);
    await expect(client.addThing({ body: { kind: 'A_B2', name: 'x' } })).rejects.toThrow(/kind/);
  });

  test('a schema that refers to itself by its anchor is checked at every level', async () => {
    answer = { status: 200, body: { leaf: 'ab', branches: [{ leaf: 'cd', size: 1 }] } };
    expect(await client.getTree()).toEqual({ leaf: 'ab', branches: [{ leaf: 'cd', size: 1 }] });
    answer = { status: 200, body: { leaf: 'ab', branches: [{ leaf: 'c' }] } };
    await expect(client.getTree()).rejects.toMatchObject({ status: 500 });
  });

  test('the published document has no reference that leads out of it', async () => {
    const published = await (await fetch(`${service.origin}/openapi.json`)).text();
    const references = [...published.matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference ?? '');
    const document = JSON.parse(published) as object;
    for (const reference of references) {
      expect(reference).toMatch(/^#\/components\/\w+\/[\w.-]+$/);
      expect(document).toHaveProperty(reference.slice(2).split('/'));
    }
    expect(document).toMatchObject({
      info: { description: FILES['about.md'] },
      webhooks: { changed: { post: { requestBody: {} } } },
    });
    for (const page of ['/docs', '/docs.md', '/llms.txt'])
      expect([page, (await fetch(service.origin + page)).status]).toEqual([page, 200]);
  });
});
