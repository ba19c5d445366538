import { errorReply } from '../http/api-error.ts';
import type { HandlersUnder } from '../pipeline/handler.ts';
import { createOrderList } from './order-list.ts';
import type { OrderStore } from './order-store.ts';

export interface OrderServices {
  readonly orders: OrderStore;
  /** The time in epoch milliseconds. */
  readonly now: () => number;
}

export function orderHandlers({ orders, now }: OrderServices): HandlersUnder<'/store'> {
  const list = createOrderList(orders);
  return {
    listOrders: () => list().then((body) => ({ status: 200, body })),

    async cancelOrder({ path: { orderId }, caller }) {
      switch (await orders.cancel(orderId, caller.id, new Date(now()))) {
        case 'cancelled':
        case 'already_cancelled':
          return { status: 204 };
        case 'already_shipped':
          return errorReply(
            'order_already_shipped',
            `Order ${orderId} has already shipped; shipping cannot be reversed.`,
          );
        case 'not_found':
          return errorReply('order_not_found', `No order has the id ${orderId}.`);
      }
    },
  };
}
