import type { Notices } from '../database/postgres/notices.ts';
import type { Database, Query } from '../database/sql.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { Features, StoresOf } from '../feature.ts';

/** All data of the service, in either database. */
export interface Store<Of extends Features = Features> {
  readonly features: StoresOf<Of>;
  readonly keys: KeyStore;
  /** Runs `work` in one transaction, with the stores of all features in it, and the query that they use. */
  readonly transaction: <Result>(
    work: (stores: StoresOf<Of>, query: Query) => Promise<Result>,
  ) => Promise<Result>;
  /**
   * Runs `work` while no other instance runs one of this name. Resolves when `work` does or when `signal` aborts. The
   * signal of `work` also aborts within 10 s of losing the database: then it waits, and runs `work` again. Its `check`
   * rejects in a transaction that must not commit, because another instance may run the work.
   */
  readonly runAlone: (
    name: string,
    signal: AbortSignal,
    work: (signal: AbortSignal, check: (query: Query) => Promise<void>) => Promise<void>,
  ) => Promise<void>;
  /** For the table of jobs. */
  readonly jobs: Database;
  /** `transaction` for runs of jobs, which take no connections from requests. */
  readonly jobTransaction: Store<Of>['transaction'];
  /** For the responses that are kept for repeats. */
  readonly responses: Database;
  /** For the feed, and how its instances tell each other of entries. */
  readonly feed: { readonly database: Database; readonly notices?: Notices };
  /** Throws StoreUnavailable unless the database can be read and written. `fault` is its last failure. */
  ping(fault?: unknown): Promise<void>;
  close(): Promise<void>;
}
