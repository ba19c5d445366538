import { basePath, operations, type OperationId } from '@petstore/contract';
import { document } from '@petstore/contract/document';
import { resolve } from '@petstore/contract/json-pointer';
import Database from 'better-sqlite3';
import { filesIn } from '../src/data-dir.ts';
import { startTestService, type TestService } from './support/service.ts';

let service: TestService;

beforeEach(async () => {
  service = await startTestService();
  await service.addOrders([{ id: 1 }, { id: 2, status: 'shipped' }]);
  await service.addPets([{ id: 1 }]);
});
async function send(operationId: OperationId, key = '', { id = 1, query = '' } = {}): Promise<Response> {
  const { method, path } = operations[operationId];
  return service.request(`${basePath}${path.replace(/\{.*\}/, String(id))}${query}`, { method, key });
}

/** Each error of the contract that has an example of its own, and how it comes about. */
const PROVOKED: [OperationId, status: number, provoke: (key: string) => Promise<Response>][] = [
  ['listOrders', 400, (key) => send('listOrders', key, { query: '?page=2' })],
  ['listOrders', 401, () => send('listOrders')],
  ['cancelOrder', 404, (key) => send('cancelOrder', key, { id: 4711 })],
  ['cancelOrder', 409, (key) => send('cancelOrder', key, { id: 2 })],
  ['getPet', 404, (key) => send('getPet', key, { id: 4711 })],
  [
    'listOrders',
    429,
    async (key) => {
      await Promise.all(Array.from({ length: 60 }, () => send('listOrders', key)));
      service.clock.advance(43_000);
      return send('listOrders', key);
    },
  ],
  [
    'listOrders',
    500,
    async (key) => {
      await send('listOrders', key);
      await service.store.close();
      return send('listOrders', key);
    },
  ],
  [
    'listOrders',
    503,
    async (key) => {
      const other = new Database(filesIn(service.dataDir).store);
      other.exec('ALTER TABLE api_keys RENAME TO api_keys_away');
      const response = await send('listOrders', key);
      other.exec('ALTER TABLE api_keys_away RENAME TO api_keys');
      other.close();
      return response;
    },
  ],
];

test.each(PROVOKED)('%s answers %i as the contract shows', async (operationId, status, provoke) => {
  const { method, path } = operations[operationId];
  const response = await provoke(await service.key('free'));
  expect(response.status).toBe(status);
  const pointer = `#/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${status}`;
  const { $ref: reference = pointer } = resolve(document, pointer) as { $ref?: string };
  expect(await response.json()).toEqual(resolve(document, `${reference}/content/application~1json/example`));
});
