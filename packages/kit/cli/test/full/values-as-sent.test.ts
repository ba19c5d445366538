import { tried, type Tried } from '../support/tried.ts';

/* Values that arrive as they were sent, or are refused: over HTTP, through generated types and the generated client. */

const CONTRACT = `openapi: 3.1.0
info: { title: Values, version: '1' }
paths:
  /files/{name}.{ext}:
    get:
      operationId: getFile
      parameters:
        - { name: name, in: path, required: true, schema: { type: string } }
        - { name: ext, in: path, required: true, schema: { type: string } }
      responses: { '204': { description: Done. } }
  /points/{lat}.{format}:
    get:
      operationId: getPoint
      parameters:
        - { name: lat, in: path, required: true, schema: { type: number }, example: 1.5 }
        - { name: format, in: path, required: true, schema: { type: string } }
      responses: { '204': { description: Done. } }
  /caf%c3%a9/menu: { get: { operationId: getMenu, responses: { '204': { description: Done. } } } }
  /café/{table}/bill:
    get:
      operationId: getBill
      parameters: [{ name: table, in: path, required: true, schema: { type: string } }]
      responses: { '204': { description: Done. } }
  /%74ables/a%2Fb: { get: { operationId: getTables, responses: { '204': { description: Done. } } } }
  /numbers:
    get:
      operationId: getNumbers
      parameters:
        - { name: whole, in: query, schema: { type: integer, enum: [1, 2] } }
        - { name: small, in: query, schema: { type: integer, format: int32 } }
        - { name: any, in: query, schema: { type: number, enum: [1, 2.5] } }
        - { name: only, in: query, schema: { type: number, const: 3 } }
        - { name: list, in: query, schema: { type: array, items: { type: number, enum: [1, 2] } } }
        - { name: either, in: query, schema: { oneOf: [{ type: integer, enum: [4] }, { type: boolean }] } }
        - { name: big, in: query, schema: { type: integer, format: int64, default: '9007199254740993' } }
        - { name: X-Whole, in: header, schema: { type: integer, enum: [5] } }
      responses: { '204': { description: Done. } }
  /empty:
    get:
      operationId: getEmpty
      parameters:
        - { name: n, in: query, allowEmptyValue: true, schema: { type: integer, minimum: 3, default: 4 } }
        - { name: flag, in: query, allowEmptyValue: true, schema: { type: boolean } }
        - { name: kind, in: query, allowEmptyValue: true, schema: { $ref: '#/components/schemas/Kind' } }
        - { name: list, in: query, allowEmptyValue: true, schema: { type: array, items: { type: integer } } }
      responses: { '204': { description: Done. } }
components: { schemas: { Kind: { type: string, enum: [a, b] } } }
`;

let service: Tried;
beforeAll(async () => {
  service = await tried('values-as-sent', CONTRACT, () => ({ status: 204 }));
});
afterAll(() => service.stop());

const statusOf = async (target: string, headers: Record<string, string> = {}) =>
  (await fetch(service.origin + target, { headers })).status;

test('the client refuses a value that holds what ends it in the path', async () => {
  const { client } = service;
  await expect(client['getFile']?.({ name: 'a.b', ext: 'c' })).rejects.toThrow('name cannot be sent exactly');
  await expect(client['getPoint']?.({ lat: 1.5, format: 'txt' })).rejects.toThrow(
    'lat cannot be sent exactly',
  );
  await client['getFile']?.({ name: 'a', ext: 'b.c' });
  expect(service.received()?.['path']).toEqual({ name: 'a', ext: 'b.c' });
  await client['getPoint']?.({ lat: -2, format: 'x.y' });
  expect(service.received()?.['path']).toEqual({ lat: -2, format: 'x.y' });
});

test.each([
  ['/caf%c3%a9/menu', 204],
  ['/caf%C3%A9/menu', 204],
  ['/%63af%C3%a9/m%65nu', 204],
  ['/cafe/menu', 404],
  ['/caf%c3%a9/7/bill', 204],
  ['/caf%C3%A9/%37/bil%6C', 204],
  ['/tables/a%2fb', 204],
  ['/%74ables/a%2Fb', 204],
  ['/tables/a/b', 404],
])(
  '%s is %i: an encoded character is the same in every spelling (RFC 3986 §6.2.2)',
  async (target, status) => {
    expect(await statusOf(target)).toBe(status);
  },
);

test('the client finds paths in any spelling', async () => {
  await service.client['getMenu']?.();
  await service.client['getTables']?.();
  await service.client['getBill']?.({ table: 'é' });
  expect(service.received()?.['path']).toEqual({ table: 'é' });
});

test.each([
  ['whole=1.0', 'whole', 1],
  ['whole=2e0', 'whole', 2],
  ['small=-7.0', 'small', -7],
  ['small=-0', 'small', 0],
  ['any=1.0', 'any', 1],
  ['any=25e-1', 'any', 2.5],
  ['only=3.00', 'only', 3],
  ['list=1.0&list=2', 'list', [1, 2]],
  ['either=4.0', 'either', 4],
])('%s is the number that the contract lists', async (query, name, value) => {
  expect(await statusOf(`/numbers?${query}`)).toBe(204);
  expect((service.received()?.['query'] as Record<string, unknown>)[name]).toEqual(value);
});

test.each([
  'whole=1.5',
  'whole=3.0',
  'whole=0x1',
  'whole=01',
  'small=1e10',
  'any=2.50001',
  'only=3.1',
  'list=1.5',
  'big=1.0',
])('%s is rejected', async (query) => {
  expect(await statusOf(`/numbers?${query}`)).toBe(400);
});

test('a header compares numbers by value, and a rejection lists them', async () => {
  expect(await statusOf('/numbers', { 'X-Whole': '5.0' })).toBe(204);
  const response = await fetch(`${service.origin}/numbers?whole=3`);
  expect(await response.text()).toContain('must be equal to one of the allowed values: 1, 2');
});

test('a default of 64 bits arrives exactly', async () => {
  expect(await statusOf('/numbers')).toBe(204);
  expect(service.received()?.['query']).toMatchObject({ big: 9007199254740993n });
});

test('allowEmptyValue lets a parameter in a query be empty, in the types too', async () => {
  expect(await statusOf('/empty?n=&flag&kind=')).toBe(204);
  expect(service.received()?.['query']).toMatchObject({ n: '', flag: '', kind: '' });
  await service.client['getEmpty']?.({ n: '', flag: true, kind: 'a' });
  expect(service.received()?.['query']).toEqual({ n: '', flag: true, kind: 'a' });
  await service.client['getEmpty']?.();
  expect(service.received()?.['query']).toEqual({ n: 4 });
  expect(await statusOf('/empty?n=2')).toBe(400);
  expect(await statusOf('/empty?kind=c')).toBe(400);
  expect(service.remarks).toContain(
    '45:53: allowEmptyValue is ignored: it says nothing of lists and objects (OpenAPI 3.1 §4.8.12.2.1)',
  );
  const code = (input: string) => `import { createChecked } from './index.ts';
void createChecked().getEmpty(${input});
`;
  expect(await service.compiled(code("{ n: '', flag: '', kind: '' }"))).toBeUndefined();
  expect(await service.compiled(code("{ n: 'x' }"))).toContain('use.ts:2');
});
