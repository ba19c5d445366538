import { tried, type Tried } from '../support/tried.ts';

/* `nullable: true` of OpenAPI 3.0 beside a composition or a reference, and path items joined with a reference. */

const CONTRACT = `openapi: 3.0.3
info: { title: Nulls, version: '1' }
paths:
  /a:
    $ref: '#/components/pathItems/A'
    post:
      operationId: send
      parameters:
        - { name: q, in: query, schema: { nullable: true, allOf: [{ $ref: '#/components/schemas/Kind' }] } }
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/All' } } } }
      responses: { '200': { description: Done., content: { application/json: { schema: { $ref: '#/components/schemas/All' } } } } }
components:
  pathItems:
    A:
      $ref: '#/components/pathItems/B'
      get: { operationId: read, responses: { '204': { description: Done. } } }
      post: { operationId: lost, responses: { '204': { description: Done. } } }
    B:
      parameters: [{ name: r, in: query, schema: { type: integer } }]
      delete: { operationId: drop, responses: { '204': { description: Done. } } }
  schemas:
    Kind: { type: string, enum: [a, b] }
    Book: { type: object, required: [n], properties: { n: { type: integer } } }
    Cat: { type: object, required: [sort], properties: { sort: { type: string, enum: [cat] } } }
    Dog: { type: object, required: [sort], properties: { sort: { type: string, enum: [dog] } } }
    Alias: { nullable: true, allOf: [{ $ref: '#/components/schemas/Book' }] }
    All:
      type: object
      required: [ref, all, one, any, tagged, items, within, typed, branch, alias, listed]
      additionalProperties: false
      properties:
        ref: { $ref: '#/components/schemas/Book', nullable: true }
        all: { nullable: true, description: A book., allOf: [{ $ref: '#/components/schemas/Book' }] }
        one: { nullable: true, oneOf: [{ $ref: '#/components/schemas/Book' }, { $ref: '#/components/schemas/Kind' }] }
        any: { nullable: true, anyOf: [{ $ref: '#/components/schemas/Kind' }] }
        tagged: { nullable: true, oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }], discriminator: { propertyName: sort, mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' } } }
        items: { type: array, items: { nullable: true, allOf: [{ $ref: '#/components/schemas/Kind' }] } }
        within: { allOf: [{ $ref: '#/components/schemas/Book' }, { nullable: true }] }
        typed: { type: object, nullable: true, allOf: [{ $ref: '#/components/schemas/Book' }] }
        branch: { oneOf: [{ $ref: '#/components/schemas/Book' }, { nullable: true }] }
        alias: { $ref: '#/components/schemas/Alias' }
        listed: { type: string, nullable: true, enum: [a, b] }
`;

const FULL = {
  ref: { n: 1 },
  all: { n: 1 },
  one: 'a',
  any: 'b',
  tagged: { sort: 'cat' },
  items: ['a'],
  within: { n: 1 },
  typed: { n: 1 },
  branch: { n: 1 },
  alias: { n: 1 },
  listed: 'a',
};
const NULLS = {
  ...FULL,
  ...{ ref: null, all: null, one: null, any: null, tagged: null, items: [null, 'b'], within: null },
  ...{ typed: null, branch: null, alias: null },
};

let service: Tried;
let answer: object;
beforeAll(async () => {
  service = await tried('nullable', CONTRACT, () => answer);
});
afterAll(() => service.stop());

test.each([FULL, NULLS])('values and nulls are sent, received and returned: %#', async (body) => {
  answer = { status: 200, body };
  expect(await service.client['send']?.({ ...body, q: null })).toEqual(body);
  expect(service.received()).toMatchObject({ body, query: { q: null } });
});

test.each(Object.keys(FULL))('%s takes nothing else', async (name) => {
  answer = { status: 200, body: FULL };
  await expect(service.client['send']?.({ ...FULL, [name]: 7 })).rejects.toThrow('400');
});

test('what enum does not list is not null, for types and server', async () => {
  answer = { status: 200, body: FULL };
  await expect(service.client['send']?.({ ...FULL, listed: null })).rejects.toThrow('400');
  const code = (body: object) => `import { createChecked } from './index.ts';
void createChecked().send(${JSON.stringify(body)});
`;
  expect(await service.compiled(code({ ...NULLS, q: null }))).toBeUndefined();
  expect(await service.compiled(code({ ...NULLS, listed: null }))).toContain('use.ts:2');
});

test('each is a remark', () => {
  const of = (text: string) => service.remarks.filter((remark) => remark.includes(text)).length;
  expect(of('nullable beside')).toBe(9);
  expect(of('nullable in a part of allOf')).toBe(1);
  expect(of('it has nothing but nullable')).toBe(1);
  expect(of('enum does not list it')).toBe(1);
});

test('operations beside the reference of a path item are served with those that it leads to', async () => {
  answer = { status: 204 };
  await service.client['read']?.({ r: 1 });
  expect(service.received()?.['query']).toEqual({ r: 1 });
  await service.client['drop']?.({ r: 2 });
  expect(service.received()?.['query']).toEqual({ r: 2 });
  const response = await fetch(`${service.origin}/a`, { method: 'PUT' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, expect.stringContaining('DELETE')]);
  expect(service.remarks.filter((remark) => remark.includes('post is also where $ref leads'))).toEqual([
    expect.stringMatching(/^6:/),
  ]);
});
