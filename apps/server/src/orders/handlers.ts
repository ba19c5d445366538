import { errorResponse, type HandlersUnder, type Services } from '@kit/server';
import type { Operations } from '@petstore/contract';
import { createOrderList } from './order-list.ts';
import type { OrderStore } from './order-store.ts';

export function orderHandlers(services: Services<OrderStore>): HandlersUnder<Operations, '/store'> {
  const { store, now } = services;
  const list = createOrderList(services);
  return {
    listOrders: () => list().then((body) => ({ status: 200, body })),

    async cancelOrder({ path: { orderId }, caller }) {
      switch (await store.cancel(orderId, caller.id, new Date(now()))) {
        case 'cancelled':
        case 'already_cancelled':
          return { status: 204 };
        case 'already_shipped':
          return errorResponse(
            409,
            'order_already_shipped',
            `Order ${orderId} has already shipped; shipping cannot be reversed.`,
          );
        case 'not_found':
          return errorResponse(404, 'order_not_found', `No order has the id ${orderId}.`);
      }
    },
  };
}
