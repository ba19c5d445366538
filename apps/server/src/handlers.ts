import { orderHandlers } from './orders/order-handlers.ts';
import { petHandlers } from './pets/pet-handlers.ts';
import type { Handlers } from './pipeline/handler.ts';
import type { Services } from './services.ts';

/** The handler of every operation of the contract, by operationId. One that is missing or left over does not compile. */
export function createHandlers(services: Services): Handlers {
  return { ...orderHandlers(services), ...petHandlers(services) };
}
