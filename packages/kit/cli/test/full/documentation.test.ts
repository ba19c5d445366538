import { checkContract } from '../../src/rules/check-contract.ts';
import { parseContract } from '@contract-kit/core/openapi';
import { tried, type Tried } from '../support/tried.ts';

/* A mistake in documentation is a remark, and the contract is served: over HTTP, with its pages. */

const CONTRACT = `openapi: 3.0.3
info:
  title: 5
  version: 1.0
  description: { a: b }
  summary:
  contact: [x]
  license: MIT
  termsOfService: 'http://['
externalDocs: http://docs.example
tags: [one, { name: two, externalDocs: { description: x } }, { name: two }, { description: no }, 3, { name: four, x-parent: five }]
paths:
  /a:
    summary: [x]
    get:
      operationId: getA
      summary: 5
      description: [a]
      externalDocs: { description: x }
      tags: three
      parameters:
        - { name: q, in: query, description: 7, schema: { type: integer }, example: x, examples: [1, 2] }
      responses:
        '200':
          description:
          content:
            application/json: { schema: { title: 5, description: { a: b }, externalDocs: a, type: object, properties: { a: { type: string, description: 4, example: 4 } } }, examples: [a] }
            x-foo: { a: 1 }
            bare: 3
    post:
      operationId: postA
      tags: { a: b }
      requestBody: { required: true, content: { schema: { type: object, required: [n], properties: { n: { type: integer } } } } }
      responses: { '200': { description: 8, content: { json: { schema: { type: object, required: [n], properties: { n: { type: integer } } } } } } }
`;

interface Item {
  readonly get: { readonly responses: Record<string, { readonly content: object }> };
}

let service: Tried;
beforeAll(async () => {
  service = await tried('documentation', CONTRACT, () => ({ status: 200, body: { n: 1 } }));
});
afterAll(() => service.stop());

test('each mistake is a remark with its place and what was done', () => {
  const done = service.remarks.map((remark) => remark.replace(/^(\d+):\d+: (.*?)(: |; |$)/, '$1 $2: '));
  for (const remark of [
    '3 title must be text (put quotes around it if it looks like something else), but is 5: it is read as "5"',
    '4 version must be text (put quotes around it if it looks like something else), but is 1: it is read as "1.0"',
  ])
    expect(done).toContain(remark);
  const lines = new Set(service.remarks.map((remark) => Number(remark.split(':')[0])));
  for (const line of [5, 6, 7, 8, 9, 10, 11, 14, 17, 18, 19, 20, 22, 25, 27, 28, 29, 32, 33, 34])
    expect([line, lines.has(line)]).toEqual([line, true]);
});

test('what is published is valid, and the pages show it', async () => {
  const { info, tags, externalDocs, paths } = service.published as Record<
    'info' | 'tags' | 'externalDocs' | 'paths',
    Record<string, Item>
  >;
  expect(info).toEqual({ title: '5', version: '1.0', license: { name: 'MIT' } });
  expect(externalDocs).toEqual({ url: 'http://docs.example' });
  expect(tags).toEqual([{ name: 'one' }, { name: 'two' }, { name: '3' }, { name: 'four' }]);
  expect(paths['/a']?.get).toMatchObject({ summary: '5', tags: ['three'] });
  expect(Object.keys(paths['/a']?.get.responses['200']?.content ?? {})).toEqual(['application/json']);
  for (const page of ['/docs', '/docs.md', '/openapi.json', '/llms.txt'])
    expect([page, (await fetch(service.origin + page)).status]).toEqual([page, 200]);
});

test('a body without a media type is JSON, for the server and the client', async () => {
  expect(await service.client['postA']?.({ n: 2 })).toEqual({ n: 1 });
  expect(service.received()?.['body']).toEqual({ n: 2 });
  await expect(service.client['postA']?.({ n: 'x' })).rejects.toThrow('400');
});

test.each([
  '',
  'info:',
  'info: hello',
  'info: []',
  'info: { version: {} }',
  'info: { title: a, version: 1, license: { url: https://a.example } }',
  'info: { title: a, version: 1, license: { identifier: MIT, url: https://a.example } }',
  'info: { title: a, version: 1, license: 3, contact: me, termsOfService: [] }',
  "info: { title: a, version: 1, contact: { name: 3, url: 'a b', email: nobody } }",
  'tags: { a: b }',
  'tags: one',
  'tags: [[a], 1, true, null, { name: [x] }, { name: 1 }, { name: a, parent: a }]',
  'externalDocs: []',
  'externalDocs: { url: 3 }',
])('nothing in %j refuses a contract', (text) => {
  const contract = parseContract(`openapi: 3.1.0
paths: { /a: { get: { operationId: getA, responses: { '204': { description: Done. } } } } }
${text}
`);
  expect(checkContract(contract)).toEqual([]);
  expect(contract.remarks.length).toBeGreaterThan(0);
  const { info } = contract.document as { info: object };
  expect(info).toMatchObject({
    title: expect.any(String) as string,
    version: expect.any(String) as string,
  });
});
