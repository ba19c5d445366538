import Database from 'better-sqlite3';
import { filesIn } from '../src/data-dir.ts';
import { expectError } from './support/expect.ts';
import { startTestService, type TestService } from './support/service.ts';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  key = await service.key();
});

afterEach(() => {
  const database = new Database(filesIn(service.dataDir).store);
  database.exec('DELETE FROM orders');
  database.close();
});

const list = (init: RequestInit & { key?: string } = { key }) => service.request('/v1/store/orders', init);

test('an empty store has an empty list', async () => {
  const response = await list({ key });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual([]);
});

test('every order is listed, by id, whatever order they came in', async () => {
  await service.addOrders([{ id: 30 }, { id: 4 }, { id: 100 }, { id: 9_007_199_254_740_991 }, { id: 1 }]);
  const response = await list({ key });
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await response.text()).toBe('[{"id":1},{"id":4},{"id":30},{"id":100},{"id":9007199254740991}]');
});

test('cancelled and shipped orders are listed, and their status is not', async () => {
  await service.addOrders([
    { id: 1, status: 'pending' },
    { id: 2, status: 'shipped' },
    { id: 3, status: 'cancelled' },
  ]);
  expect((await service.request('/v1/store/orders/1', { method: 'DELETE', key })).status).toBe(204);
  expect(await (await list({ key })).json()).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
});

test('a field that was given is there, even if it is zero or false; one that was not is absent', async () => {
  const full = { id: 1, petId: 7, quantity: 0, shipDate: '2026-11-18T14:30:00.000Z', complete: false };
  await service.addOrders([full, { id: 2, quantity: 3 }, { id: 3, complete: true }]);
  expect(await (await list({ key })).json()).toEqual([
    full,
    { id: 2, quantity: 3 },
    { id: 3, complete: true },
  ]);
});

test('every key sees every order', async () => {
  await service.addOrders([{ id: 1 }, { id: 2 }]);
  const other = await service.key('free');
  expect(await (await list({ key: other })).json()).toEqual([{ id: 1 }, { id: 2 }]);
});

test.each([1000, 1001, 2001])('a list of %i orders is whole and valid JSON', async (count) => {
  const orders = Array.from({ length: count }, (_, index) => ({ id: index + 1, petId: index }));
  await service.addOrders(orders);
  expect(await (await list({ key })).json()).toEqual(orders);
});

test('HEAD has the headers of GET, Content-Length included, and no body', async () => {
  await service.addOrders([{ id: 1, quantity: 2 }]);
  const get = await list({ key });
  const head = await list({ key, method: 'HEAD' });
  expect(head.status).toBe(200);
  expect(await head.text()).toBe('');
  expect(head.headers.get('content-length')).toBe(String((await get.text()).length));
  expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
});

test('HEAD of a long list has no body either', async () => {
  await service.addOrders(Array.from({ length: 2500 }, (_, index) => ({ id: index + 1 })));
  const head = await list({ key, method: 'HEAD' });
  expect(head.status).toBe(200);
  expect(await head.text()).toBe('');
});

test('nothing of it is kept by caches', async () => {
  expect((await list({ key })).headers.get('cache-control')).toBe('no-store');
});

test('a query parameter is refused rather than ignored', async () => {
  for (const query of [
    'page=2',
    'page',
    'limit=1',
    '=1',
    'a=1&b=2',
    '__proto__=1',
    'constructor=1',
    'id[]=1',
  ]) {
    await expectError(await service.request(`/v1/store/orders?${query}`, { key }), 'invalid_request');
  }
});

test('an empty query is no parameter', async () => {
  expect((await service.request('/v1/store/orders?', { key })).status).toBe(200);
});
