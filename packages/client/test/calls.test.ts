import { ApiError, createPetstore, InputError } from '@petstore/client';
import { json, refuse, serve, type TestServer } from './server.ts';

let server: TestServer;
afterEach(() => server.close());

const apiKey = 'pst_test';
const client = () => createPetstore({ apiKey, baseUrl: server.baseUrl });

test('listing gives the orders', async () => {
  server = await serve((request, response) => {
    expect(request.headers.authorization).toBe(`Bearer ${apiKey}`);
    json(response, 200, [{ id: 1, quantity: 2 }]);
  });
  expect(await client().listOrders()).toEqual([{ id: 1, quantity: 2 }]);
  expect(server.requests).toEqual(['GET /v1/store/orders']);
});

test('cancelling gives nothing, and sends the id exactly', async () => {
  server = await serve((_request, response) => response.writeHead(204).end());
  expect(await client().cancelOrder({ orderId: 9007199254740993n })).toBeUndefined();
  expect(server.requests).toEqual(['DELETE /v1/store/orders/9007199254740993']);
});

test('getting gives the pet', async () => {
  server = await serve((_request, response) => json(response, 200, { id: 12, name: 'Rex' }));
  expect(await client().getPet({ petId: '12' })).toEqual({ id: 12, name: 'Rex' });
});

test('a refusal is thrown with its code, and the same call gives it as a reply', async () => {
  server = await serve((_request, response) => refuse(response, 409, 'order_already_shipped'));
  const call = client().cancelOrder({ orderId: 2 });
  const reply = await call.reply();
  expect(reply).toMatchObject({ declared: true, status: 409, body: { code: 'order_already_shipped' } });
  const error: unknown = await call.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    status: 409,
    code: 'order_already_shipped',
    requestId: 'request-1',
    attempts: 1,
  });
  expect(server.requests).toHaveLength(1);
});

test('an id that is none is refused without a request', async () => {
  server = await serve((_request, response) => response.writeHead(204).end());
  await expect(client().cancelOrder({ orderId: '..' })).rejects.toBeInstanceOf(InputError);
  expect(server.requests).toEqual([]);
});
