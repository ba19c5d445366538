/* Compiled by `npm run typecheck`, never run: each mistake must be an error on exactly its line. */
import { type List, errorResponse, notYet } from '@contract-kit/server';
import type * as kit from '@contract-kit/server';
import type { Operations } from '@petstore/contract';
import type { Order } from '../../src/orders/order-row.ts';

type Handlers = kit.Handlers<Operations>;
type Handler<Id extends keyof Operations> = kit.Handler<Operations[Id]>;
type Of<Id extends keyof Operations> = kit.Handlers<Pick<Operations, Id>>;

declare const order: Order;
declare const handlers: Handlers;
declare const text: List<Order>;

const notFound = { status: 404, body: { code: 'order_not_found', message: '', status: 404 } } as const;
const unavailable = { code: 'service_unavailable', message: '', status: 503 } as const;

(() => ({ status: 200, body: [order] })) satisfies Handler<'listOrders'>;
(() => ({ status: 200, body: text })) satisfies Handler<'listOrders'>;
(({ path: { orderId }, caller }) => {
  const exact: bigint = orderId;
  // The contract secures the operation, so there is a key.
  const by: string = caller.id;
  return exact > 0n && by !== '' ? { status: 204 } : notFound;
}) satisfies Handler<'cancelOrder'>;

({ ...handlers, listOrders: notYet }) satisfies Handlers;
// @ts-expect-error a missing operation, next to one that is not implemented yet
({ listOrders: notYet }) satisfies Of<'listOrders' | 'cancelOrder'>;
// @ts-expect-error a missing operation
({ listOrders: handlers.listOrders }) satisfies Of<'listOrders' | 'cancelOrder'>;
// @ts-expect-error an operation that was removed from the contract
({ getOwner: () => ({ status: 204 }) }) satisfies Of<'getOwner'>;
// @ts-expect-error an operation that the contract does not have
({ ...handlers, getOwner: () => ({ status: 204 }) }) satisfies Handlers;
// @ts-expect-error a code that the contract does not list for this operation
(() => errorResponse(404, 'pet_not_found', '')) satisfies Handler<'cancelOrder'>;
// @ts-expect-error a code that the contract lists for another status
(() => ({
  ...notFound,
  body: { ...notFound.body, code: 'order_already_shipped' },
})) satisfies Handler<'cancelOrder'>;
// @ts-expect-error a status that the contract does not declare
(() => ({ status: 404, body: [order] })) satisfies Handler<'listOrders'>;
// @ts-expect-error a body of another type
(() => ({ status: 200, body: [{ id: 'one' }] })) satisfies Handler<'listOrders'>;
// @ts-expect-error a body that is missing
(() => ({ status: 200 })) satisfies Handler<'listOrders'>;
// @ts-expect-error a body where the contract has none
(() => ({ status: 204, body: {} })) satisfies Handler<'cancelOrder'>;
// @ts-expect-error a required header that is missing
(() => ({ status: 503, body: unavailable })) satisfies Handler<'cancelOrder'>;
// @ts-expect-error a header of another type
(() => ({
  status: 503,
  headers: { 'Retry-After': 'soon' },
  body: unavailable,
})) satisfies Handler<'cancelOrder'>;
// @ts-expect-error a header that the pipeline owns
(() => ({ status: 204, headers: { 'X-RateLimit-Limit': 1 } })) satisfies Handler<'cancelOrder'>;

(({ path }) => {
  // @ts-expect-error an int64 id is a bigint, which is exact
  path.orderId satisfies number;
  // @ts-expect-error a parameter that the contract does not have
  void path.petId;
  return { status: 204 };
}) satisfies Handler<'cancelOrder'>;
