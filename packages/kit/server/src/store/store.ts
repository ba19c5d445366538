import type { KeyStore } from '../keys/key-store.ts';
import type { OrderStore } from '../orders/order-store.ts';
import type { PetStore } from '../pets/pet-store.ts';

/** Everything the service keeps, wherever it keeps it. */
export interface Store {
  readonly orders: OrderStore;
  readonly pets: PetStore;
  readonly keys: KeyStore;
  /** Throws StoreUnavailable while the database cannot be both read and written. `fault`: what it has failed by last. */
  ping(fault?: unknown): Promise<void>;
  close(): Promise<void>;
}
