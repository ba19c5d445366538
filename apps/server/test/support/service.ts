import type { Pet } from '../../src/pets/pet-store.ts';
import { importItems, sharedWithKey } from '@contract-kit/test-support/testing';
import type { TestServiceOptions } from '@contract-kit/testing';
import { startPetstore } from './petstore.ts';
import { importOrders, storedOrders } from './store.ts';

export type TestService = Awaited<ReturnType<typeof startTestService>>;

/** The petstore as a test service, with shortcuts for orders and pets. */
export async function startTestService(options?: TestServiceOptions) {
  const service = await startPetstore(options);
  const { request, store } = service;
  return {
    ...service,
    addOrders: (orders: Parameters<typeof importOrders>[1]) => importOrders(store.features.orders, orders),
    addPets: (pets: readonly Pet[]) => importItems(store.features.pets, pets),
    list: (key = '') => request('/v1/store/orders', { key }),
    cancel: (id: number | bigint | string, key = '') =>
      request(`/v1/store/orders/${id}`, { method: 'DELETE', key }),
    statusOf: async (id: number) =>
      (await storedOrders(store.features.orders)).find((order) => order.id === id)?.status,
  };
}

/** See `sharedWithKey`. */
export const sharedService = (options?: TestServiceOptions) => sharedWithKey(() => startTestService(options));
