// Generated from openapi.yaml by `npm run generate`. Edit openapi.yaml instead.

import type { operations as Schemas } from './schema.ts';

/** Every operation of the contract by its operationId: where it is, what it takes, what it may answer. */
export interface Operations {
  /**
   * List orders
   *
   * Returns every order placed in the store, cancelled ones included, in one response and ordered by id.
   *
   * There is no filtering and no pagination in v1; both are planned for v2. A query parameter is refused with
   * `400`, so that a client written for v2 does not mistake the whole list for a page.
   */
  listOrders: {
    method: 'GET';
    path: '/store/orders';
    input: {
      path: {};
      query: {};
      body: undefined;
    };
    replies: {
      200: {
        headers: Schemas['listOrders']['responses'][200]['headers'];
        body: Schemas['listOrders']['responses'][200]['content']['application/json'];
      };
      400: {
        headers: Schemas['listOrders']['responses'][400]['headers'];
        body: Schemas['listOrders']['responses'][400]['content']['application/json'];
      };
      401: {
        headers: Schemas['listOrders']['responses'][401]['headers'];
        body: Schemas['listOrders']['responses'][401]['content']['application/json'];
      };
      429: {
        headers: Schemas['listOrders']['responses'][429]['headers'];
        body: Schemas['listOrders']['responses'][429]['content']['application/json'];
      };
      500: {
        headers: Schemas['listOrders']['responses'][500]['headers'];
        body: Schemas['listOrders']['responses'][500]['content']['application/json'];
      };
      503: {
        headers: Schemas['listOrders']['responses'][503]['headers'];
        body: Schemas['listOrders']['responses'][503]['content']['application/json'];
      };
    };
  };
  /**
   * Cancel an order
   *
   * Cancels a pending order.
   *
   * - The order is pending: it is cancelled, and the answer is `204` without a body.
   * - The order is cancelled already: `204` again, and nothing changes. Cancelling is idempotent, so it is safe to
   *   repeat when an answer was lost.
   * - The order has shipped: `409` with the code `order_already_shipped`. Nothing changes, and a retry will not
   *   help: shipping cannot be reversed.
   * - No order has this id: `404` with the code `order_not_found`.
   */
  cancelOrder: {
    method: 'DELETE';
    path: '/store/orders/{orderId}';
    input: {
      path: Schemas['cancelOrder']['parameters']['path'];
      query: {};
      body: undefined;
    };
    replies: {
      204: { headers: Schemas['cancelOrder']['responses'][204]['headers']; body: undefined };
      400: {
        headers: Schemas['cancelOrder']['responses'][400]['headers'];
        body: Schemas['cancelOrder']['responses'][400]['content']['application/json'];
      };
      401: {
        headers: Schemas['cancelOrder']['responses'][401]['headers'];
        body: Schemas['cancelOrder']['responses'][401]['content']['application/json'];
      };
      404: {
        headers: Schemas['cancelOrder']['responses'][404]['headers'];
        body: Schemas['cancelOrder']['responses'][404]['content']['application/json'];
      };
      409: {
        headers: Schemas['cancelOrder']['responses'][409]['headers'];
        body: Schemas['cancelOrder']['responses'][409]['content']['application/json'];
      };
      429: {
        headers: Schemas['cancelOrder']['responses'][429]['headers'];
        body: Schemas['cancelOrder']['responses'][429]['content']['application/json'];
      };
      500: {
        headers: Schemas['cancelOrder']['responses'][500]['headers'];
        body: Schemas['cancelOrder']['responses'][500]['content']['application/json'];
      };
      503: {
        headers: Schemas['cancelOrder']['responses'][503]['headers'];
        body: Schemas['cancelOrder']['responses'][503]['content']['application/json'];
      };
    };
  };
  /**
   * Get a pet
   *
   * Returns one pet.
   *
   * Deprecated without a replacement: the operation goes away on its sunset date. Until then every answer carries
   * `Deprecation`, `Sunset` and `Link`.
   *
   * @deprecated since 2026-11-01; goes away on 2027-06-30.
   */
  getPet: {
    method: 'GET';
    path: '/pets/{petId}';
    input: {
      path: Schemas['getPet']['parameters']['path'];
      query: {};
      body: undefined;
    };
    replies: {
      200: {
        headers: Schemas['getPet']['responses'][200]['headers'];
        body: Schemas['getPet']['responses'][200]['content']['application/json'];
      };
      400: {
        headers: Schemas['getPet']['responses'][400]['headers'];
        body: Schemas['getPet']['responses'][400]['content']['application/json'];
      };
      401: {
        headers: Schemas['getPet']['responses'][401]['headers'];
        body: Schemas['getPet']['responses'][401]['content']['application/json'];
      };
      404: {
        headers: Schemas['getPet']['responses'][404]['headers'];
        body: Schemas['getPet']['responses'][404]['content']['application/json'];
      };
      429: {
        headers: Schemas['getPet']['responses'][429]['headers'];
        body: Schemas['getPet']['responses'][429]['content']['application/json'];
      };
      500: {
        headers: Schemas['getPet']['responses'][500]['headers'];
        body: Schemas['getPet']['responses'][500]['content']['application/json'];
      };
      503: {
        headers: Schemas['getPet']['responses'][503]['headers'];
        body: Schemas['getPet']['responses'][503]['content']['application/json'];
      };
    };
  };
}

/** The same operations as values, for routing and for building requests. */
export const operations = {
  listOrders: {
    method: 'GET',
    path: '/store/orders',
    parameters: { path: {}, query: {} },
    hasBody: false,
    security: [['apiKey']],
  },
  cancelOrder: {
    method: 'DELETE',
    path: '/store/orders/{orderId}',
    parameters: { path: { orderId: 'int64' }, query: {} },
    hasBody: false,
    security: [['apiKey']],
  },
  getPet: {
    method: 'GET',
    path: '/pets/{petId}',
    parameters: { path: { petId: 'int64' }, query: {} },
    hasBody: false,
    security: [['apiKey']],
    deprecation: { since: '2026-11-01', sunset: '2027-06-30' },
  },
} as const;

/** The path that every address of this version of the API ends in. */
export const basePath = '/v1';

/** The version of the contract that this was generated from. */
export const contractVersion = '1.0.0';
