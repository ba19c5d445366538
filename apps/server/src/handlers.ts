import { orderHandlers } from './orders/order-handlers.ts';
import { petHandlers } from './pets/pet-handlers.ts';
import type { Handlers } from './pipeline/handler.ts';
import type { Store } from './storage/store.ts';

/** What handlers work with. */
export interface Services extends Store {
  readonly now: () => number;
}

/** The handler of every operation of the contract, by operationId. One that is missing or left over does not compile. */
export function createHandlers(services: Services): Handlers {
  return { ...orderHandlers(services), ...petHandlers(services) };
}
