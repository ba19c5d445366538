/* The areas of the API, a line for each. */
export { orders } from './orders/feature.ts';
export { pets } from './pets/feature.ts';
