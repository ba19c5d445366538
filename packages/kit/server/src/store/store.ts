import type { KeyStore } from '../keys/key-store.ts';
import type { Features, StoresOf } from '../feature.ts';

/** All data of the service, in either database. */
export interface Store<Of extends Features = Features> {
  readonly features: StoresOf<Of>;
  readonly keys: KeyStore;
  /** Throws StoreUnavailable unless the database can be read and written. `fault` is its last failure. */
  ping(fault?: unknown): Promise<void>;
  close(): Promise<void>;
}
