import { feature as customersFeature } from './customers/feature.ts';
import { feature as productsFeature } from './products/feature.ts';
import { feature as quotesFeature } from './quotes/feature.ts';
import { feature as invoicesFeature } from './invoices/feature.ts';
import { feature as receiptsFeature } from './receipts/feature.ts';
import { feature as paymentsFeature } from './payments/feature.ts';
import { feature as webhooksFeature } from './webhooks/feature.ts';
import { feature as reportsFeature } from './reports/feature.ts';
import { feature as usersFeature } from './users/feature.ts';

/** The areas of the API, one line each. Their migrations run in this order. */
export const features = {
  customers: customersFeature,
  products: productsFeature,
  quotes: quotesFeature,
  invoices: invoicesFeature,
  receipts: receiptsFeature,
  payments: paymentsFeature,
  webhooks: webhooksFeature,
  reports: reportsFeature,
  users: usersFeature,
};
