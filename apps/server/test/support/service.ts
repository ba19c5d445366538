import Database from 'better-sqlite3';
import { sharedWithKey, type TestServiceOptions } from '@kit/server/testing';
import { filesIn, tools } from './petstore.ts';
import { importOrders, importPets, storedOrders } from './store.ts';

export type TestService = Awaited<ReturnType<typeof startTestService>>;

/** Adds so many orders that their list is streamed, and does not fit into the buffers of a connection. */
export function addManyOrders(dataDir: string): void {
  const database = new Database(filesIn(dataDir).store);
  // An import would take seconds.
  database.exec(`
    INSERT INTO orders (pet_id, quantity, ship_date, complete)
    WITH RECURSIVE pets (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM pets WHERE id < 120000)
    SELECT id, 1, '2026-11-21T12:00:00.000Z', 0 FROM pets`);
  database.close();
}

/** The petstore as a test service, with what tests do with its orders and pets. */
export async function startTestService(options?: TestServiceOptions) {
  const service = await tools.startTestService(options);
  const { request, store } = service;
  return {
    ...service,
    async addOrders(orders: Parameters<typeof importOrders>[1]) {
      const conflicts = await importOrders(store.features.orders, orders);
      if (conflicts.length > 0) throw new Error('these orders are there already');
    },
    addPets: (pets: Parameters<typeof importPets>[1]) => importPets(store.features.pets, pets),
    list: (key = '') => request('/v1/store/orders', { key }),
    cancel: (id: number | bigint | string, key = '') =>
      request(`/v1/store/orders/${id}`, { method: 'DELETE', key }),
    statusOf: async (id: number) =>
      (await storedOrders(store.features.orders)).find((order) => order.id === id)?.status,
  };
}

/** See `sharedWithKey`. */
export const sharedService = (options?: TestServiceOptions) => sharedWithKey(() => startTestService(options));
