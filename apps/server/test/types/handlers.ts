/* Compiled by `npm run typecheck`, never run: each mistake a handler can make must be an error on its very line. */
import type { Order } from '@petstore/contract';
import { errorReply } from '../../src/http/api-error.ts';
import type { JsonText } from '../../src/http/json-text.ts';
import type { Handler, Handlers, HandlersUnder } from '../../src/pipeline/handler.ts';

declare const order: Order;
declare const handlers: Handlers;
declare const text: JsonText<Order[]>;

export const right: Pick<Handlers, 'listOrders' | 'cancelOrder'> = {
  listOrders: () => ({ status: 200, body: [order] }),
  cancelOrder: ({ path: { orderId }, caller }) => {
    const exact: bigint = orderId;
    // The contract secures the operation, so there is a key.
    const by: string = caller.id;
    return exact > 0n && by !== ''
      ? { status: 204 }
      : { status: 404, body: { code: 'order_not_found', message: '', status: 404 } };
  },
};

export const asText: Handler<'listOrders'> = () => ({ status: 200, body: text });

// @ts-expect-error a missing operation
export const missing: HandlersUnder<'/store'> = {
  listOrders: () => ({ status: 200, body: [order] }),
};

// @ts-expect-error a handler of a path that the contract does not have any more
export const leftOver: HandlersUnder<'/owners'> = { getOwner: () => ({ status: 204 }) };

export const extra: Pick<Handlers, 'getPet'> = {
  getPet: handlers.getPet,
  // @ts-expect-error an operation that the contract does not have
  getOwner: () => ({ status: 204 }),
};

// @ts-expect-error a code of the contract that it does not list for this operation
export const unlistedCode: Handler<'cancelOrder'> = () => errorReply('pet_not_found', '');

// @ts-expect-error a code that the contract lists for another status
export const codeOfAnotherStatus: Handler<'cancelOrder'> = () => ({
  status: 404,
  body: { code: 'order_already_shipped', message: '', status: 409 },
});

// @ts-expect-error a status that the contract does not declare
export const undeclaredStatus: Handler<'listOrders'> = () => ({ status: 404, body: [order] });

// @ts-expect-error a body of another type
export const wrongBody: Handler<'listOrders'> = () => ({
  status: 200,
  body: [{ id: 'one' }],
});

// @ts-expect-error a body that is missing
export const missingBody: Handler<'listOrders'> = () => ({ status: 200 });

// @ts-expect-error a body where the contract has none
export const bodyOn204: Handler<'cancelOrder'> = () => ({
  status: 204,
  body: {},
});

// @ts-expect-error a required header that is missing
export const missingHeader: Handler<'cancelOrder'> = () => ({
  status: 503,
  body: { code: 'service_unavailable', message: '', status: 503 },
});

// @ts-expect-error a header of another type
export const mistypedHeader: Handler<'cancelOrder'> = () => ({
  status: 503,
  headers: { 'Retry-After': 'soon' },
  body: { code: 'service_unavailable', message: '', status: 503 },
});

// @ts-expect-error a header that the pipeline owns
export const pipelineHeader: Handler<'cancelOrder'> = () => ({
  status: 204,
  headers: { 'X-RateLimit-Limit': 1 },
});

export const roundedId: Handler<'cancelOrder'> = ({ path }) => {
  // @ts-expect-error an int64 id is a bigint, which is exact
  const rounded: number = path.orderId;
  return rounded > 0 ? { status: 204 } : { status: 204 };
};

export const unknownInput: Handler<'cancelOrder'> = ({ path }) => {
  // @ts-expect-error a parameter that the contract does not have
  return path.petId ? { status: 204 } : { status: 204 };
};
