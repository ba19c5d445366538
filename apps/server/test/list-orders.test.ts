import Database from 'better-sqlite3';
import { filesIn } from '../src/data-dir.ts';
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

test('every key sees every order', async () => {
  await service.addOrders([{ id: 1 }, { id: 2 }]);
  const other = await service.key('free');
  expect(await (await list({ key: other })).json()).toEqual([{ id: 1 }, { id: 2 }]);
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
