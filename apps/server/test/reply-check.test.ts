import { document } from '@petstore/contract/document';
import { JsonText } from '../src/http/json-text.ts';
import { replyContractsOf } from '../src/validation/reply-contract.ts';
import { startTestService, type TestService } from './support/service.ts';

let service: TestService;
let key: string;

async function startWith(handlers: object, checksReplies = true): Promise<void> {
  service = await startTestService({ handlers, checksReplies });
  key = await service.key();
}

const request = (target = '/v1/store/orders', method = 'GET') => service.request(target, { method, key });

/** A body that arrives in batches. */
function inBatches(...batches: unknown[][]): JsonText<unknown[]> {
  async function* texts() {
    for (const batch of batches) yield await Promise.resolve(JSON.stringify(batch).slice(1, -1));
  }
  return new JsonText(texts());
}

const order = { id: 1, quantity: 2 };

const errorOf = (status: number, code?: string) => ({ status, body: { code, message: 'No.', status } });
const unavailable = errorOf(503, 'service_unavailable');

/** Each reply breaks the contract in one way; what must be said about it comes last. */
const mistakes: [what: string, method: 'GET' | 'DELETE', reply: object, says: RegExp][] = [
  ['a status that is not declared', 'GET', { status: 418, body: [] }, /status 418/],
  [
    'a property that is not declared',
    'GET',
    { status: 200, body: [{ ...order, status: 'pending' }] },
    /unevaluated properties \(status\)/,
  ],
  [
    'a property of the wrong type',
    'GET',
    { status: 200, body: [{ id: '1' }] },
    /body\/0\/id must be integer/,
  ],
  [
    'an integer that JSON cannot carry exactly',
    'GET',
    { status: 200, body: [{ id: 2 ** 53 }] },
    /body\/0\/id must match format "int64"/,
  ],
  [
    'a date that does not exist',
    'GET',
    { status: 200, body: [{ shipDate: '2020-13-01T00:00:00Z' }] },
    /shipDate must match format "date-time"/,
  ],
  ['a body on 204', 'DELETE', { status: 204, body: { done: true } }, /body where the contract has none/],
  ['no body on 200', 'GET', { status: 200 }, /body is missing/],
  ['an Error object without its code', 'DELETE', errorOf(404), /must have required property 'code'/],
  [
    'a code that the reply does not list',
    'DELETE',
    errorOf(404, 'pet_not_found'),
    /body\/code must be equal to one of the allowed values/,
  ],
  ['a required header that is missing', 'DELETE', unavailable, /header Retry-After is missing/],
  [
    'a header of the wrong type',
    'DELETE',
    { ...unavailable, headers: { 'Retry-After': 'soon' } },
    /header Retry-After must be integer/,
  ],
  [
    'another content type',
    'GET',
    { status: 200, headers: { 'Content-Type': 'text/plain' }, body: '[]' },
    /Content-Type is text\/plain, not application\/json/,
  ],
];

test.each(mistakes)(
  'a handler that answers with %s is answered for with a 500 that says so, and is logged',
  async (_what, method, reply, says) => {
    await startWith({ listOrders: () => reply, cancelOrder: () => reply });
    const response = await request(method === 'GET' ? '/v1/store/orders' : '/v1/store/orders/1', method);
    expect(response.headers.get('x-ratelimit-remaining')).not.toBeNull();
    const message = expect.stringMatching(says) as string;
    expect(await response.json()).toEqual({ code: 'internal_error', message, status: 500 });
    expect(service.logged).toContainEqual(
      expect.objectContaining({ msg: 'the reply violates the contract' }),
    );
  },
);

test('HEAD is checked like GET', async () => {
  await startWith({ listOrders: () => ({ status: 200, body: [{ id: '1' }] }) });
  expect((await request('/v1/store/orders', 'HEAD')).status).toBe(500);
});

test('a body that goes out compressed is checked', async () => {
  const body = Array.from({ length: 200 }, (_, index) => ({ id: index === 199 ? 'last' : index }));
  await startWith({ listOrders: () => ({ status: 200, body }) });
  const response = await request();
  expect(response.status).toBe(500);
  expect(await response.text()).toContain('body/199/id must be integer');
});

test('a list whose first batch violates the contract is answered for with a 500 that says so', async () => {
  await startWith({
    listOrders: () => ({ status: 200, body: inBatches([{ id: 'one' }], [order]) }),
  });
  const response = await request();
  expect(response.status).toBe(500);
  expect(await response.text()).toContain('element/id must be integer');
});

test('a streamed list is cut off at the first element that violates the contract', async () => {
  await startWith({
    listOrders: () => ({ status: 200, body: inBatches([order], [order], [{ id: 'three' }]) }),
  });
  await expect(request().then((response) => response.text())).rejects.toThrow();
  expect(service.logged).toContainEqual(
    expect.objectContaining({ violations: [expect.stringContaining('element/id must be integer')] }),
  );
});

test('nothing is checked unless it was asked for', async () => {
  await startWith({ listOrders: () => ({ status: 200, body: [{ id: '1' }] }) }, false);
  expect((await request()).status).toBe(200);
});

test('of a body that fits no branch it is said where each of them differs, not that nothing was declared', () => {
  const branch = (name: string) => ({
    type: 'object',
    required: [name],
    properties: { [name]: { type: 'string' } },
  });
  const { paths, ...rest } = structuredClone(document) as { paths: Record<string, never> };
  const schema = { oneOf: [branch('a'), branch('b')] };
  const get = { responses: { 200: { content: { 'application/json': { schema } } } } };
  const contracts = replyContractsOf({ ...rest, paths: { ...paths, '/store/orders': { get } } });
  const said = (body: object) => contracts.of('listOrders', 200)?.checkBody(JSON.stringify(body));
  expect(said({ a: 'x', c: 'x' })).toEqual(['body must NOT have unevaluated properties (c)']);
  expect(said({ a: 1 })).toEqual([
    'body/a must be string',
    "body must have required property 'b'",
    'body must match exactly one schema in oneOf',
  ]);
});
