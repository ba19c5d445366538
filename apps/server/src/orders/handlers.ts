import { errorResponse, type HandlersUnder, type Services } from '@contract-kit/server';
import type { Operations } from '@petstore/contract';
import { Counter } from 'prom-client';
import type { Needed } from '../settings.ts';
import type { OrderStore } from './order-store.ts';

export function orderHandlers(services: Services<OrderStore, Needed>): HandlersUnder<Operations, '/store'> {
  const { store, settings, metrics, now } = services;
  const [name, help] = ['petstore_orders_cancelled_total', 'Orders cancelled.'];
  const cancelled = new Counter({ name, help, registers: [metrics] });
  return {
    listOrders: () => ({ status: 200, body: store.shown }),

    async cancelOrder({ path: { orderId }, caller }, context) {
      const { status, changed } = await store.cancel(orderId, caller.id, new Date(now()));
      if (status === undefined)
        return errorResponse(404, 'order_not_found', `No order has the id ${orderId}.`);
      if (status === 'shipped')
        return errorResponse(
          409,
          'order_already_shipped',
          `Order ${orderId} has already shipped; shipping cannot be reversed.`,
        );
      if (changed) cancelled.inc();
      if (changed && settings.LOG_CANCELS) context.log.info({ orderId }, 'order cancelled');
      return { status: 204 };
    },
  };
}
