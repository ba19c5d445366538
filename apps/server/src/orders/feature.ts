import path from 'node:path';
import type { Feature } from '@contract-kit/server';
import { addOrderCommands } from './commands.ts';
import { seedOrders } from './demo.ts';
import { orderHandlers } from './handlers.ts';
import { createOrderStore, type OrderStore } from './order-store.ts';

export const orders: Feature<OrderStore, ReturnType<typeof orderHandlers>> = {
  migrations: path.join(import.meta.dirname, 'migrations'),
  open: createOrderStore,
  handlers: orderHandlers,
  commands: addOrderCommands,
  demo: seedOrders,
};
