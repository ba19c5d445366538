import type { StoredOrder } from './order-row.ts';
import type { OrderStore } from './order-store.ts';

/* Has the orders of the contract's examples, so that pasted examples work. */
const orders: readonly StoredOrder[] = [
  { id: 1, petId: 12, quantity: 1, shipDate: '2026-12-01T09:00:00.000Z', complete: false, status: 'pending' },
  { id: 2, petId: 7, quantity: 3, shipDate: '2026-11-18T14:30:00.000Z', complete: true, status: 'shipped' },
  { id: 3, petId: 3, quantity: 12, complete: false, status: 'pending' },
  { id: 4, petId: 12, quantity: 2, status: 'cancelled' },
  { id: 5, petId: 7, quantity: 1, shipDate: '2026-12-05T08:00:00.000Z', complete: false, status: 'pending' },
];

/** Fills an empty store with a few orders. */
export async function seedOrders(store: OrderStore): Promise<void> {
  for await (const batch of store.stored()) if (batch.length > 0) return;
  const underway = await store.beginImport();
  await underway.stage(orders.map((order, index) => ({ ...order, line: index + 1 })));
  await underway.commit();
}
