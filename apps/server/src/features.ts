/* The areas of the API, one line each. */
export { orders } from './orders/feature.ts';
export { pets } from './pets/feature.ts';
