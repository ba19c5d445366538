import type { Database } from '@contract-kit/server';

/** The data of this feature. Every method throws StoreUnavailable while the database fails. */
export function createStore(_database: Database) {
  return {};
}

export type Store = ReturnType<typeof createStore>;
