import type { ActiveKey } from './key-store.ts';

/**
 * Who a request counts for: the key it proves to hold, or else the client's address. `reason` says why there is no
 * key: none was sent, it is not valid, two were sent, or it could not be checked because of `cause`.
 */
export type Caller =
  | { readonly kind: 'key'; readonly key: ActiveKey }
  | {
      readonly kind: 'address';
      readonly address: string;
      readonly reason: 'missing' | 'invalid' | 'ambiguous';
    }
  | {
      readonly kind: 'address';
      readonly address: string;
      readonly reason: 'unchecked';
      readonly cause: unknown;
    };
