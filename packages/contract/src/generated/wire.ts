// Generated from openapi.yaml by `npm run generate`. Edit openapi.yaml instead.

/** The addresses of this version of the API. */
export const servers = {
  production: 'https://api.petstore.example/v1',
  staging: 'https://staging.petstore.example/v1',
  local: 'http://localhost:3000/v1',
} as const;

/** The JSON type of each operation's request body, if it has one, and of each declared reply's body. */
export const bodies = {
  listOrders: {
    replies: {
      '200': 'array',
      '400': 'object',
      '401': 'object',
      '429': 'object',
      '500': 'object',
      '503': 'object',
    },
  },
  cancelOrder: {
    replies: {
      '204': 'none',
      '400': 'object',
      '401': 'object',
      '404': 'object',
      '409': 'object',
      '429': 'object',
      '500': 'object',
      '503': 'object',
    },
  },
  getPet: {
    replies: {
      '200': 'object',
      '400': 'object',
      '401': 'object',
      '404': 'object',
      '429': 'object',
      '500': 'object',
      '503': 'object',
    },
  },
} as const;

/** The type of every header that a reply may declare. */
export const headerTypes = {
  'X-RateLimit-Limit': 'integer',
  'X-RateLimit-Remaining': 'integer',
  'X-RateLimit-Reset': 'integer',
  'X-Request-Id': 'string',
  'WWW-Authenticate': 'string',
  'Retry-After': 'integer',
  Deprecation: 'string',
  Sunset: 'string',
  Link: 'string',
} as const;
