import { invoices } from './invoices/feature.ts';
import { payments } from './payments/feature.ts';
import { users } from './users/feature.ts';

/** The areas of the API, one line each. Their migrations run in this order. */
export const features = {
  users,
  invoices,
  payments,
};
