import { errorResponse, type Handlers, type Services } from '@contract-kit/server';
import type { Operations } from '@petstore/contract';
import type { OrderStore } from './order-store.ts';

type Handled = Pick<Operations, 'listOrders' | 'cancelOrder'>;

export function orderHandlers({ store, now }: Services<OrderStore>): Handlers<Handled> {
  return {
    listOrders: () => ({ status: 200, body: store.shown }),

    async cancelOrder({ path: { orderId }, caller }) {
      const { status } = await store.cancel(orderId, caller.id, new Date(now()));
      if (status === undefined)
        return errorResponse(404, 'order_not_found', `No order has the id ${orderId}.`);
      if (status === 'shipped')
        return errorResponse(
          409,
          'order_already_shipped',
          `Order ${orderId} has already shipped; shipping cannot be reversed.`,
        );
      return { status: 204 };
    },
  };
}
