import { orderHandlers, type OrderServices } from './orders/order-handlers.ts';
import { petHandlers, type PetServices } from './pets/pet-handlers.ts';
import type { Handlers } from './pipeline/handler.ts';

/** What the handlers work with, together. */
export type Services = OrderServices & PetServices;

/** The handler of every operation of the contract, by operationId. One that is missing or left over does not compile. */
export function createHandlers(services: Services): Handlers {
  return { ...orderHandlers(services), ...petHandlers(services) };
}
