import { JsonText } from '../src/http/json-text.ts';
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

/** Each reply breaks the contract in one way; `says` is what must be said about it. */
const mistakes: { what: string; method: 'GET' | 'DELETE'; reply: object; says: RegExp }[] = [
  {
    what: 'a status that is not declared',
    method: 'GET',
    reply: { status: 418, body: [] },
    says: /status 418/,
  },
  {
    what: 'a property that is not declared',
    method: 'GET',
    reply: { status: 200, body: [{ ...order, status: 'pending' }] },
    says: /unevaluated properties \(status\)/,
  },
  {
    what: 'a property of the wrong type',
    method: 'GET',
    reply: { status: 200, body: [{ id: '1' }] },
    says: /body\/0\/id must be integer/,
  },
  {
    what: 'an integer that JSON cannot carry exactly',
    method: 'GET',
    reply: { status: 200, body: [{ id: 2 ** 53 }] },
    says: /body\/0\/id must match format "int64"/,
  },
  {
    what: 'a date that does not exist',
    method: 'GET',
    reply: { status: 200, body: [{ shipDate: '2020-13-01T00:00:00Z' }] },
    says: /shipDate must match format "date-time"/,
  },
  {
    what: 'a body on 204',
    method: 'DELETE',
    reply: { status: 204, body: { done: true } },
    says: /body where the contract has none/,
  },
  { what: 'no body on 200', method: 'GET', reply: { status: 200 }, says: /body is missing/ },
  {
    what: 'an Error object without its code',
    method: 'DELETE',
    reply: { status: 404, body: { message: 'No.', status: 404 } },
    says: /must have required property 'code'/,
  },
  {
    what: 'a code that the reply does not list',
    method: 'DELETE',
    reply: { status: 404, body: { code: 'pet_not_found', message: 'No.', status: 404 } },
    says: /body\/code must be equal to one of the allowed values/,
  },
  {
    what: 'a required header that is missing',
    method: 'DELETE',
    reply: { status: 503, body: { code: 'service_unavailable', message: 'No.', status: 503 } },
    says: /header Retry-After is missing/,
  },
  {
    what: 'a header of the wrong type',
    method: 'DELETE',
    reply: {
      status: 503,
      headers: { 'Retry-After': 'soon' },
      body: { code: 'service_unavailable', message: 'No.', status: 503 },
    },
    says: /header Retry-After must be integer/,
  },
  {
    what: 'another content type',
    method: 'GET',
    reply: { status: 200, headers: { 'Content-Type': 'text/plain' }, body: '[]' },
    says: /Content-Type is text\/plain, not application\/json/,
  },
];

describe.each(mistakes)('a handler that answers with $what', ({ method, reply, says }) => {
  test('is answered for with a 500 that says so, and is logged', async () => {
    await startWith({ listOrders: () => reply, cancelOrder: () => reply });
    const response = await request(method === 'GET' ? '/v1/store/orders' : '/v1/store/orders/1', method);
    expect(response.status).toBe(500);
    expect(response.headers.get('x-ratelimit-remaining')).not.toBeNull();
    expect(await response.json()).toEqual({
      code: 'internal_error',
      message: expect.stringMatching(says) as string,
      status: 500,
    });
    expect(service.logged).toContainEqual(
      expect.objectContaining({ msg: 'the reply violates the contract' }),
    );
  });
});

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
