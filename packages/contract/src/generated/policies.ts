// Generated from openapi.yaml by `npm run generate`. Edit openapi.yaml instead.

import type { Policy } from '@kit/contract';
import type { Operations } from './operations.ts';

/** What only who answers needs of each operation. */
export const policies = {
  "listOrders": { "security": [ [ "apiKey" ] ] },
  "cancelOrder": { "security": [ [ "apiKey" ] ] },
  "getPet": {
    "security": [ [ "apiKey" ] ],
    "deprecation": { "since": "2026-11-01", "sunset": "2027-06-30" },
  },
} as const satisfies { readonly [Id in keyof Operations]: Policy };
