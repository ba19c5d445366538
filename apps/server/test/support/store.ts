import type { Order } from '@petstore/contract';
import type { ImportConflict } from '@kit/server/internals';
import type { OrderStatus, OrderStore, StoredOrder } from '../../src/orders/order-store.ts';
import type { PetStore } from '../../src/pets/pet-store.ts';

/** Imports orders, pending by default, one per line. Resolves to the conflicts. */
export async function importOrders(
  orders: OrderStore,
  all: readonly (Order & { status?: OrderStatus; line?: number })[],
): Promise<ImportConflict[]> {
  const underway = await orders.beginImport();
  await underway.stage(all.map((order, index) => ({ status: 'pending', line: index + 1, ...order })));
  return underway.commit();
}

/** Imports pets, which must not be there yet. */
export async function importPets(
  pets: PetStore,
  all: readonly { id: number; name?: string }[],
): Promise<void> {
  const underway = await pets.beginImport();
  await underway.stage(all.map((pet, index) => ({ ...pet, line: index + 1 })));
  if ((await underway.commit()).length > 0) throw new Error('these pets are there already');
}

/** Every order in the store, or those of one status, by id. */
export async function storedOrders(orders: OrderStore, status?: OrderStatus): Promise<StoredOrder[]> {
  const all: StoredOrder[] = [];
  for await (const batch of orders.storedBatches(status)) all.push(...batch);
  return all;
}

/** Orders with the ids from 1 to `count`. */
export const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
