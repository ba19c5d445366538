import type { Request } from './exchange.ts';
import type { CataloguePeer } from './catalogue-servers.ts';

/** A request to the catalogue: a service with handlers as anybody writes them, without its own caches or batches. */
export interface CatalogueRow {
  readonly name: string;
  readonly about: string;
  /** Whether keys and plans are on. */
  readonly isKeyed: boolean;
  readonly request: Omit<Request, 'headers'>;
  readonly status: number;
  /** Whether express-openapi-validator validates its parameters. */
  readonly isValidated: boolean;
  /** How much more CPU time each of these peers must need. */
  readonly targets: Readonly<Partial<Record<CataloguePeer, number>>>;
}

export const PRODUCTS = '/v1/products';
export const PRODUCT_ID = '00000000-0000-4000-8000-000000000042';

export const NEW_PRODUCT = {
  name: 'Watering can',
  supplierId: '00000000-0000-4000-8000-000000001007',
  category: 'garden',
  priceInCents: 1_295,
  contact: 'supplier@example.com',
  availableFrom: '2026-12-01T09:00:00Z',
  dimensions: { width: 41.5, height: 30, depth: 18.25 },
  note: null,
};

const requests = {
  list: {
    about: 'list of 20 products',
    request: { method: 'GET', target: PRODUCTS },
    status: 200,
    isValidated: true,
  },
  get: {
    about: 'a product by its uuid',
    request: { method: 'GET', target: `${PRODUCTS}/${PRODUCT_ID}` },
    status: 200,
    isValidated: true,
  },
  post: {
    about: 'a new product, with a body of eight fields',
    request: { method: 'POST', target: PRODUCTS, body: JSON.stringify(NEW_PRODUCT) },
    status: 201,
    isValidated: false,
  },
} as const;

export const catalogueRows: readonly CatalogueRow[] = [
  ...Object.entries(requests).map(([name, { about, ...request }]) => ({
    name: `handler-${name}`,
    about: `${about}, open to everyone`,
    isKeyed: false,
    targets: { fastify: 1, express: 3 },
    ...request,
  })),
  ...Object.entries(requests).map(([name, { about, ...request }]) => ({
    name: `handler-${name}-keys`,
    about: `${about}, with keys and plans`,
    isKeyed: true,
    targets: { fastify: 1 },
    ...request,
  })),
];
