import type { TokenHolder } from './identify.ts';
import type { ActiveKey } from './key-store.ts';

/** A key, and the security schemes by which it was sent; `holders` are those by scheme whom `authenticate` found. */
export interface KeyCaller {
  readonly kind: 'key';
  readonly key: ActiveKey;
  readonly schemes: readonly string[];
  readonly holders?: ReadonlyMap<string, TokenHolder> | undefined;
}

/**
 * Who a request counts for: its key, by the security schemes `schemes`, otherwise the client's address. `reason` says why
 * there is no key: none was sent, none is valid (`why`, if the app says it), there is more than one of `what`, or `cause`
 * prevented the check.
 */
export type Caller = KeyCaller | ({ readonly kind: 'address'; readonly address: string } & NoKey);

export type NoKey =
  | { readonly reason: 'missing' }
  | { readonly reason: 'invalid'; readonly why?: string | undefined }
  | { readonly reason: 'ambiguous'; readonly what: string }
  | { readonly reason: 'unchecked'; readonly cause: unknown };
