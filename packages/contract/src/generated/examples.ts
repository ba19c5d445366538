// Generated from openapi.yaml by `npm run generate`. Edit openapi.yaml instead.

import type { Example } from '@kit/contract';
import type { Operations } from './operations.ts';

/** A success of each operation, as the contract shows it. */
export const examples: { readonly [Id in keyof Operations]: Example } = {
  "listOrders": {
    "status": 200,
    "body": [
      {
        "id": 1,
        "petId": 12,
        "quantity": 1,
        "shipDate": "2026-11-24T09:00:00.000Z",
        "complete": false,
      },
      {
        "id": 2,
        "petId": 7,
        "quantity": 3,
        "shipDate": "2026-11-18T14:30:00.000Z",
        "complete": true,
      },
    ],
  },
  "cancelOrder": { "status": 204 },
  "getPet": { "status": 200, "body": { "id": 12, "name": "Rex" } },
};
