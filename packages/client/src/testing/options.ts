import type { Clock, Order, Pet } from '@petstore/client';
import type { plans } from '@petstore/contract';

export type OrderStatus = 'pending' | 'shipped' | 'cancelled';

/** An order in the fake's store. Its status is shown by nothing that the API answers. */
export type FakeOrder = Order & { id: number; status: OrderStatus };

type WithQuota = {
  [Id in keyof typeof plans]: (typeof plans)[Id]['quota'] extends undefined ? never : Id;
}[keyof typeof plans];

export interface FakePetstoreOptions {
  /** The orders in the store, each with an id of its own. Without a `status` they are pending. Default: none. */
  readonly orders?: readonly (Order & { readonly id: number; readonly status?: OrderStatus })[] | undefined;
  /** The pets in the store. Default: none. */
  readonly pets?: readonly (Pet & { readonly id: number })[] | undefined;
  /** The API keys that are valid. Default: every one. */
  readonly keys?: readonly string[] | undefined;
  /** What each key may send: a plan's quota, or the two numbers of one. Default: nobody is limited, and nobody banned. */
  readonly plan?: WithQuota | { readonly perMinute: number; readonly perDay: number } | undefined;
  /** The time of windows, bans and the `Date` header; the same as the client's. Default: the platform's. */
  readonly clock?: Clock | undefined;
  /** Milliseconds before each response. Default: 0. */
  readonly latency?: number | undefined;
}
