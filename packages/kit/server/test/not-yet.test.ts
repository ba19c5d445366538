import { notYet } from '../src/index.ts';
import { contractFrom, contractText, idsIn } from '@contract-kit/test-support/contracts';
import { library } from './library/library.ts';
import { keyFormat, startTestService } from './library/service.ts';
import { createTestTools } from './support/tools.ts';

/* The response of an operation whose handler is `notYet`. */

const json = { 'content-type': 'application/json' };
const lend = (key: string) => ({ method: 'POST', key, headers: json, body: '{"bookId":7}' });

/** The library, with a part of its contract replaced. */
function withContract(replaced: string, by: string) {
  if (!contractText.includes(replaced)) throw new Error(`the contract does not have ${replaced}`);
  const text = contractText.replace(replaced, by);
  return createTestTools({ ...library, contract: contractFrom(text) });
}

/** Calls `createLoan` of the library with that contract. */
async function responseTo(replaced: string, by: string) {
  const handlers = { createLoan: notYet };
  const service = await withContract(replaced, by).startTestService({ handlers, demo: true });
  const response = await service.request('/v1/loans', lend(await service.key()));
  return { response, body: await response.text() };
}

const LENT = 'example: { id: 1, bookId: 12, days: 14, dueDate: "2026-12-05T09:00:00Z", returned: false }';

test('it responds with the example of the contract, marked, after authentication and validation', async () => {
  const handlers = { listLoans: notYet, createLoan: notYet, cancelLoan: notYet };
  const service = await startTestService({ handlers, demo: true });
  const key = await service.key();
  const created = await service.request('/v1/loans', lend(key));
  expect([created.status, created.headers.get('x-example')]).toEqual([201, 'true']);
  expect(await created.json()).toMatchObject({ id: 1, bookId: 12, days: 14 });
  const cancelled = await service.cancel(1, key);
  expect([cancelled.status, await cancelled.text()]).toEqual([204, '']);

  const refused = [
    await service.list(keyFormat.generate()),
    await service.request('/v1/loans', { ...lend(key), body: '{}' }),
    await service.cancel('one', key),
  ];
  expect(refused.map(({ status }) => status)).toEqual([401, 400, 400]);
  expect(refused.map(({ headers }) => headers.get('x-example'))).toEqual([null, null, null]);

  const total = idsIn(library.contract).length;
  expect(service.logged).toContainEqual(
    expect.objectContaining({ msg: `3 of ${total} operations respond with examples` }),
  );
  expect(service.logged).toContainEqual(
    expect.objectContaining({ operationId: 'createLoan', status: 201, example: true }),
  );
  const page = await (await service.request('/docs')).text();
  expect(page.match(/>example only</g)).toHaveLength(3);
});

test('it responds with 501 without --demo', async () => {
  const service = await startTestService({ handlers: { listLoans: notYet } });
  const response = await service.list(await service.key());
  expect([response.status, response.headers.get('x-example')]).toEqual([501, null]);
  expect(await response.json()).toEqual({
    code: 'not_implemented',
    message: 'The operation is not implemented yet.',
    status: 501,
  });
  const total = idsIn(library.contract).length;
  expect(service.logged).toContainEqual(
    expect.objectContaining({ msg: `1 of ${total} operations are not implemented and respond with 501` }),
  );
});

test('every operation of the kitchen-sink contract has an example response', async () => {
  const handlers = Object.fromEntries(idsIn(library.contract).map((id) => [id, notYet]));
  const service = await startTestService({ handlers, demo: true });
  const total = Object.keys(handlers).length;
  expect(service.logged).toContainEqual(
    expect.objectContaining({ msg: `${total} of ${total} operations respond with examples` }),
  );
});

const SHOWN = `schema: { $ref: "#/components/schemas/Loan" }\n              ${LENT}`;

test.each<[what: string, schema: string, body: unknown]>([
  [
    'an example that breaks the schema is not used',
    SHOWN.replace('id: 1', 'id: one'),
    expect.objectContaining({ id: 1 }),
  ],
  [
    'nor is one of a property that does',
    'schema: { type: object, required: [id], properties: { id: { type: integer, minimum: 3, example: one } } }',
    { id: 3 },
  ],
  [
    'it has readOnly properties, and no writeOnly ones',
    `schema:
                type: object
                required: [id, secret]
                properties: { id: { type: integer, readOnly: true }, secret: { type: string, writeOnly: true } }`,
    { id: 1 },
  ],
  [
    'it has minProperties properties',
    'schema: { type: object, minProperties: 3, properties: { a: { type: boolean } }, additionalProperties: { type: integer } }',
    { a: true, name2: 1, name3: 1 },
  ],
  [
    'it has optional properties too',
    'schema: { type: object, properties: { a: { type: boolean }, b: { type: string } } }',
    { a: true, b: 'text' },
  ],
  [
    'it has the properties that one alternative of anyOf requires',
    'schema: { type: object, properties: { a: { type: string }, b: { type: boolean } }, anyOf: [{ required: [b] }, { required: [a] }] }',
    { a: 'text', b: true },
  ],
  [
    'its texts match their patterns',
    'schema: { type: array, items: { type: string, pattern: "^[A-Z]{3}-[0-9]{2}$" } }',
    [expect.stringMatching(/^[A-Z]{3}-\d\d$/)],
  ],
  [
    'it is the first valid one of several examples',
    'schema: { type: integer }\n              examples: { wrong: { value: one }, right: { value: 2 } }',
    2,
  ],
])('%s', async (_what, schema, expected) => {
  const { response, body } = await responseTo(SHOWN, schema);
  expect([response.status, JSON.parse(body)]).toEqual([201, expected]);
});

test.each([
  [undefined, 'image/png'],
  ['image/webp', 'image/webp'],
  ['image/webp;q=0.1, image/*', 'image/png'],
])('Accept chooses the type of its bytes: %s', async (accept, type) => {
  const bytes = '{ schema: { type: string, format: binary } }';
  const content = `image/png: ${bytes}\n            image/webp: ${bytes}`;
  const service = await withContract(`application/json:\n              ${SHOWN}`, content).startTestService({
    handlers: { createLoan: notYet },
    demo: true,
  });
  const request = lend(await service.key());
  const response = await service.request('/v1/loans', {
    ...request,
    headers: { ...request.headers, ...(accept !== undefined && { accept }) },
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([201, type]);
});

test('it responds with 501 if no example can be made', async () => {
  const { response } = await responseTo(SHOWN, 'schema: { type: string, pattern: "^(?!)" }');
  expect([response.status, response.headers.get('x-example')]).toEqual([501, null]);
});

test('it has the required headers, and no others', async () => {
  const handlers = { createBook: notYet, findBooks: notYet };
  const service = await startTestService({ handlers, demo: true });
  const key = await service.key();
  const created = await service.request('/v1/books', {
    method: 'POST',
    key,
    headers: { ...json, 'idempotency-key': '5f0c7b1e-8a53-4b8b-9f59-0d7c2f6f9d1a' },
    body: '{"name":"Emma","kind":"novel","author":null}',
  });
  expect([created.status, created.headers.get('location')]).toEqual([201, '/v1/books/7']);
  const found = await service.request('/v1/books', { key });
  expect(['link', 'x-total', 'x-ratio'].map((name) => found.headers.get(name))).toEqual([null, '2', null]);
});
