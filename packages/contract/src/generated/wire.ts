// Generated from openapi.yaml by `npm run generate`. Edit openapi.yaml instead.

import type { Operations } from './operations.ts';
import type { WireCall } from '../wire.ts';

/** The addresses of this version of the API. */
export const servers = {
  production: 'https://api.petstore.example/v1',
  staging: 'https://staging.petstore.example/v1',
  local: 'http://localhost:3000/v1',
} as const;

/** What a client needs to know of each operation. */
export const wireCalls: { readonly [Id in keyof Operations]: WireCall } = {
  listOrders: {
    method: 'GET',
    path: '/store/orders',
    successes: { '200': 'array' },
    errors: [400, 401, 429, 500, 503],
  },
  cancelOrder: {
    method: 'DELETE',
    path: '/store/orders/{orderId}',
    int64: ['orderId'],
    successes: { '204': 'none' },
    errors: [400, 401, 404, 409, 429, 500, 503],
  },
  getPet: {
    method: 'GET',
    path: '/pets/{petId}',
    int64: ['petId'],
    successes: { '200': 'object' },
    errors: [400, 401, 404, 429, 500, 503],
  },
};

/** The statuses that come with an Error object, whatever the operation. */
export const errorStatuses: readonly number[] = [400, 401, 404, 405, 408, 409, 415, 417, 429, 431, 500, 503];

/** The JSON type of every header that a reply may declare. */
export const headerTypes: Readonly<Record<string, string>> = {
  'X-RateLimit-Limit': 'integer',
  'X-RateLimit-Remaining': 'integer',
  'X-RateLimit-Reset': 'integer',
  'X-Request-Id': 'string',
  'WWW-Authenticate': 'string',
  'Retry-After': 'integer',
  Deprecation: 'string',
  Sunset: 'string',
  Link: 'string',
};
