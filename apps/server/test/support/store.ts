import { importItems, itemsIn } from '@contract-kit/test-support/testing';
import type { OrderStatus, StoredOrder } from '../../src/orders/order-row.ts';
import type { OrderStore } from '../../src/orders/order-store.ts';

/** Imports new orders, pending by default. */
export const importOrders = (orders: OrderStore, all: readonly Partial<StoredOrder>[]): Promise<void> =>
  importItems(
    orders,
    all.map((order) => ({ status: 'pending', ...order })),
  );

/** Every order in the store, or those of one status, by id. */
export const storedOrders = (orders: OrderStore, status?: OrderStatus): Promise<StoredOrder[]> =>
  itemsIn(orders.stored(status));

/** Orders with the ids from 1 to `count`. */
export const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 }));
