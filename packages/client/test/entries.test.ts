import { createFetch, type PetstoreOptions } from '@petstore/client';
import { createClient } from '@petstore/client/fetch';
import { streamOrders } from '@petstore/client/stream';
import { createFakePetstore } from '@petstore/client/testing';
import { examples } from '@petstore/contract';
import { QueryClient } from '@tanstack/react-query';
import createQueries from 'openapi-react-query';
import { answerAll, apiKey, client, refuseAll, server, virtualClock } from './served.ts';

/* Each entry knows the contract. What is behind them is tested in @contract-kit/client. */

const options = (): PetstoreOptions => ({ apiKey, baseUrl: server.baseUrl, clock: virtualClock() });

test('createFetch makes a fetch without operations', async () => {
  await answerAll([]);
  expect(await (await createFetch(options())('/store/orders')).json()).toEqual([]);
});

test('openapi-fetch’s client returns typed data or errors', async () => {
  await answerAll([{ id: 1 }]);
  const { data, response } = await createClient(options()).GET('/store/orders');
  expect([data satisfies { id?: number }[] | undefined, response.status]).toEqual([[{ id: 1 }], 200]);
  await refuseAll(409, 'order_already_shipped');
  const params = { path: { orderId: 2 } };
  const { error } = await createClient(options()).DELETE('/store/orders/{orderId}', { params });
  expect(error?.code).toBe('order_already_shipped');
});

test('openapi-fetch’s client works with openapi-react-query', async () => {
  await answerAll([{ id: 1 }]);
  const queries = createQueries(createClient(options()));
  const orders = await new QueryClient().fetchQuery(queries.queryOptions('get', '/store/orders'));
  expect(orders).toEqual([{ id: 1 }]);
});

test('streamOrders gives the orders one by one', async () => {
  await answerAll([{ id: 1 }, { id: 2 }]);
  const ids: (number | undefined)[] = [];
  for await (const { id } of streamOrders(client())) ids.push(id);
  expect(ids).toEqual([1, 2]);
});

test('the fake responds with the examples of the contract', async () => {
  const petstore = client({ fetch: createFakePetstore().fetch, baseUrl: undefined });
  expect(await petstore.listOrders()).toEqual(examples.listOrders?.body);
  expect(await petstore.cancelOrder({ orderId: 1 })).toBeUndefined();
});
