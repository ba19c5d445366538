import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Order, Pet } from '@petstore/contract';
import { filesIn } from '../data-dir.ts';
import { digestOf, isWellFormedApiKey } from '../keys/api-key.ts';
import { createKey } from '../keys/create-key.ts';
import type { OrderStatus } from '../orders/order-store.ts';
import { asSetupError } from '../setup-error.ts';
import type { Store } from './store.ts';

/* What the contract's examples ask for is there, so that they work as they are pasted. */

const pets: Pet[] = [
  { id: 3, name: 'Goldie' },
  { id: 7, name: 'Mimi' },
  { id: 12, name: 'Rex' },
];

const orders: (Order & { status: OrderStatus })[] = [
  { id: 1, petId: 12, quantity: 1, shipDate: '2026-12-01T09:00:00.000Z', complete: false, status: 'pending' },
  { id: 2, petId: 7, quantity: 3, shipDate: '2026-11-18T14:30:00.000Z', complete: true, status: 'shipped' },
  { id: 3, petId: 3, quantity: 12, complete: false, status: 'pending' },
  { id: 4, petId: 12, quantity: 2, status: 'cancelled' },
  { id: 5, petId: 7, quantity: 1, shipDate: '2026-12-05T08:00:00.000Z', complete: false, status: 'pending' },
];

/** Fills an empty store with a few orders and pets to try things on. */
export async function seedDemoData(store: Store): Promise<void> {
  for await (const batch of store.orders.storedBatches()) if (batch.length > 0) return;
  const orderImport = await store.orders.beginImport();
  await orderImport.stage(orders.map((order, index) => ({ ...order, line: index + 1 })));
  await orderImport.commit();
  const petImport = await store.pets.beginImport();
  await petImport.stage(pets.map((pet, index) => ({ ...pet, line: index + 1 })));
  await petImport.commit();
}

/** The same key at every start. It is kept in the clear, so it is made only for a demonstration. */
export async function demoKey(store: Store, dataDir: string, now: Date): Promise<string> {
  const file = filesIn(dataDir).demoKey;
  try {
    const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
    if (isWellFormedApiKey(kept) && (await store.keys.findActive(digestOf(kept)))) return kept;
    const { key } = await createKey(store.keys, { name: 'demo', plan: 'free', now });
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
    chmodSync(file, 0o600);
    return key;
  } catch (error) {
    throw asSetupError(`cannot keep a key in ${file}`, error);
  }
}
