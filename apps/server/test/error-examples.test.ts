import { contract, type Operations } from '@petstore/contract';
import { createFuzzer } from '@contract-kit/testing/fuzzer';
import { sharedService } from './support/service.ts';
import { breakTable } from './support/petstore.ts';

const { operations } = createFuzzer(contract);
const service = sharedService();

beforeAll(() => service.addOrders([{ id: 2, status: 'shipped' }]));

async function useUp(key: string): Promise<Response> {
  await Promise.all(Array.from({ length: 60 }, () => service.list(key)));
  service.clock.advance(43_000);
  return service.list(key);
}

function breakKeys(key: string): Promise<Response> {
  const repair = breakTable(service.dataDir, 'api_keys');
  return service.list(key).finally(repair);
}

async function closeStore(key: string): Promise<Response> {
  await service.list(key);
  await service.store.close();
  return service.list(key);
}

/** Each error example of the contract, and how to cause it. */
const PROVOKED: [keyof Operations, status: number, provoke: (key: string) => Promise<Response>][] = [
  ['listOrders', 400, (key) => service.request('/v1/store/orders?page=2', { key })],
  ['listOrders', 401, () => service.list()],
  ['cancelOrder', 404, (key) => service.cancel(4711, key)],
  ['cancelOrder', 409, (key) => service.cancel(2, key)],
  ['getPet', 404, (key) => service.request('/v1/pets/4711', { key })],
  ['listOrders', 429, useUp],
  ['listOrders', 503, breakKeys],
  // Last: nothing works after it.
  ['listOrders', 500, closeStore],
];

test.each(PROVOKED)('%s responds with %i as in the contract', async (operationId, status, provoke) => {
  const response = await provoke(await service.key('free'));
  expect(response.status).toBe(status);
  const operation = operations.find(({ id }) => id === operationId);
  const described = operation?.responses.find((response) => response.status === String(status));
  expect(described?.media?.example).toBeDefined();
  expect(await response.json()).toEqual(described?.media?.example);
});
