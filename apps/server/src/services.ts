import type { Store } from './storage/store.ts';

/** What handlers work with. */
export interface Services extends Store {
  /** The time in epoch milliseconds. */
  readonly now: () => number;
  /** Whether the list of orders is remembered between requests; true by default. */
  readonly rememberList?: boolean;
}
