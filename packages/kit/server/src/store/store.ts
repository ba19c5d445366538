import type { KeyStore } from '../keys/key-store.ts';
import type { Features, StoresOf } from '../feature.ts';

/** Everything the service keeps, wherever it keeps it. */
export interface Store<Of extends Features = Features> {
  /** The store of each feature. */
  readonly features: StoresOf<Of>;
  readonly keys: KeyStore;
  /** Throws StoreUnavailable while the database cannot be both read and written. `fault`: what it has failed by last. */
  ping(fault?: unknown): Promise<void>;
  close(): Promise<void>;
}
