import type { Order, PlanId } from '@petstore/contract';
import Database from 'better-sqlite3';
import { filesIn } from '../../src/data-dir.ts';
import type { ImportConflict } from '../../src/database/import.ts';
import { createKey } from '../../src/keys/create-key.ts';
import type { OrderStatus, OrderStore, StoredOrder } from '../../src/orders/order-store.ts';
import type { PetStore } from '../../src/pets/pet-store.ts';
import { openSqliteStore } from '../../src/store/open-sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';

/** More than any test asks for. */
const UNLIMITED = { perMinute: 10_000_000, perDay: 10_000_000 };

/** Works on the embedded store in `dataDir` as a command does, without a process for it. */
export async function withStore<Result>(
  dataDir: string,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const store = openSqliteStore(dataDir);
  return work(store).finally(() => store.close());
}

/** Imports orders, pending unless they say otherwise, each on a line of its own. Resolves to the conflicts. */
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

/** Takes a table of the embedded store away, so that every statement on it fails, and returns what brings it back. */
export function breakTable(dataDir: string, table: string): () => void {
  const database = new Database(filesIn(dataDir).store);
  database.exec(`ALTER TABLE ${table} RENAME TO ${table}_away`);
  return () => {
    database.exec(`ALTER TABLE ${table}_away RENAME TO ${table}`);
    database.close();
  };
}

/** Orders with the ids from 1 to `count`. */
export const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 }));

/** A key of the plan; without one, of a plan that is never used up. */
export async function newKey({ keys }: Store, plan?: PlanId): Promise<string> {
  const of = plan ? { plan } : { plan: 'enterprise' as const, quota: UNLIMITED };
  return (await createKey(keys, { name: 'test', now: new Date(), ...of })).key;
}
