import { sharedService } from './support/service.ts';

/* The three operations over HTTP: each status, body and header that the specification names. */

const FIRST = { id: 1, petId: 12, quantity: 1, shipDate: '2026-11-24T09:00:00.000Z', complete: false };
const LARGEST = '9223372036854775807';
const json = { 'content-type': 'application/json; charset=utf-8' };
const deprecation = {
  deprecation: '@1793491200',
  sunset: 'Wed, 30 Jun 2027 00:00:00 GMT',
  link: '</docs#getPet>; rel="deprecation"; type="text/html", </docs#getPet>; rel="sunset"; type="text/html"',
};
const noOrder = (id: string) => ({
  code: 'order_not_found',
  message: `No order has the id ${id}.`,
  status: 404,
});
const noPet = (id: string) => ({ code: 'pet_not_found', message: `No pet has the id ${id}.`, status: 404 });
const invalid = (message: string) => ({ code: 'invalid_request', message, status: 400 });
const nowhere = { code: 'not_found', message: 'There is nothing at this path.', status: 404 };
const shipped = {
  code: 'order_already_shipped',
  message: 'Order 2 has already shipped; shipping cannot be reversed.',
  status: 409,
};

const service = sharedService();

beforeAll(async () => {
  await service.addOrders([
    { id: 4, status: 'cancelled' },
    { id: 2, petId: 7, complete: true, status: 'shipped' },
    { ...FIRST, status: 'pending' },
    { id: Number.MAX_SAFE_INTEGER },
  ]);
  await service.addPets([{ id: 12, name: 'Rex' }, { id: 13 }]);
});

type Row = [method: string, path: string, status: number, body?: unknown, headers?: object];

test.each<Row>([
  // The whole list: no order shows its status.
  [
    'GET',
    '/v1/store/orders',
    200,
    [FIRST, { id: 2, petId: 7, complete: true }, { id: 4 }, { id: Number.MAX_SAFE_INTEGER }],
    json,
  ],
  ['HEAD', '/v1/store/orders', 200, undefined, json],
  ['GET', '/v1/store/orders?page=2', 400, invalid("Unknown query parameter 'page'.")],
  ['DELETE', '/v1/store/orders/1', 204],
  ['DELETE', '/v1/store/orders/1', 204],
  ['DELETE', '/v1/store/orders/4', 204],
  ['DELETE', '/v1/store/orders/9007199254740991', 204],
  ['DELETE', '/v1/store/orders/2', 409, shipped, json],
  ...['4711', '0', '-1', '9007199254740992', '9007199254740993', LARGEST, `-${LARGEST.slice(0, -1)}8`].map(
    (id): Row => ['DELETE', `/v1/store/orders/${id}`, 404, noOrder(id), json],
  ),
  ['DELETE', '/v1/store/orders/-0', 400, invalid('orderId must be a 64-bit decimal integer.')],
  [
    'DELETE',
    '/v1/store/orders/%zz',
    400,
    invalid('The path is not percent-encoded correctly (RFC 3986 §2.1).'),
  ],
  [
    'OPTIONS',
    '/v1/store/orders/%zz',
    400,
    invalid('The path is not percent-encoded correctly (RFC 3986 §2.1).'),
  ],
  ['GET', '/v1/pets/12', 200, { id: 12, name: 'Rex' }, deprecation],
  ['GET', '/v1/pets/13', 200, { id: 13 }, deprecation],
  ['HEAD', '/v1/pets/12', 200, undefined, deprecation],
  ...['14', '0', '-1', LARGEST].map((id): Row => ['GET', `/v1/pets/${id}`, 404, noPet(id), deprecation]),
  ['GET', '/v1/pets/x', 400, invalid('petId must be a 64-bit decimal integer.'), deprecation],
  ...['/v1//store/orders', '/v1/store%2Forders', '/v1/pets', '/v1/unknown?page=2', '/v1x'].map(
    (path): Row => ['GET', path, 404, nowhere],
  ),
])('%s %s answers %i', async (method, path, status, ...[body, headers = {}]) => {
  const response = await service.request(path, { method, key: service.ownKey });
  const text = await response.text();
  expect(text === '' ? undefined : JSON.parse(text)).toEqual(body);
  const sent = Object.fromEntries(response.headers);
  expect({ status: response.status, headers: sent }).toMatchObject({ status, headers });
  expect(sent).toHaveProperty('x-content-type-options', 'nosniff');
  expect(sent['cache-control']).toBe(path.startsWith('/v1/') ? 'no-store' : undefined);
  if (!path.startsWith('/v1/pets/')) expect(sent).not.toHaveProperty('deprecation');
});
