import { orders } from './orders/feature.ts';
import { pets } from './pets/feature.ts';

/** The areas of the API, one line each. Their migrations run in this order. */
export const features = {
  orders,
  pets,
};
