// Generated from openapi.yaml by `npm run generate`. Edit openapi.yaml instead.

import type { ErrorBody, Operation } from '@kit/contract';
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
    method: "GET";
    path: "/store/orders";
    input: {
      path: {};
      query: {};
      headers: {};
      body: undefined;
    };
    replies: {
      200: {
        headers: Schemas["listOrders"]['responses'][200]['headers'];
        body: Schemas["listOrders"]['responses'][200]['content']["application/json"];
      };
      400: {
        headers: Schemas["listOrders"]['responses'][400]['headers'];
        codes: "invalid_request";
        body: Schemas["listOrders"]['responses'][400]['content']["application/json"];
      };
      401: {
        headers: Schemas["listOrders"]['responses'][401]['headers'];
        codes: "unauthorized";
        body: Schemas["listOrders"]['responses'][401]['content']["application/json"];
      };
      429: {
        headers: Schemas["listOrders"]['responses'][429]['headers'];
        codes: "rate_limit_exceeded" | "api_key_banned";
        body: Schemas["listOrders"]['responses'][429]['content']["application/json"];
      };
      500: {
        headers: Schemas["listOrders"]['responses'][500]['headers'];
        codes: "internal_error";
        body: Schemas["listOrders"]['responses'][500]['content']["application/json"];
      };
      503: {
        headers: Schemas["listOrders"]['responses'][503]['headers'];
        codes: "service_unavailable";
        body: Schemas["listOrders"]['responses'][503]['content']["application/json"];
      };
    };
    handler: {
      input: {
        path: {};
        query: {};
        headers: {};
        body: undefined;
      };
      caller: 'key';
      responses: {
        200: { headers: {}; body: Schemas["listOrders"]['responses'][200]['content']["application/json"] };
        400: { headers: {}; body: ErrorBody<"invalid_request", 400> };
        401: { headers: Pick<Schemas["listOrders"]['responses'][401]['headers'], "WWW-Authenticate">; body: ErrorBody<"unauthorized", 401> };
        429: { headers: Pick<Schemas["listOrders"]['responses'][429]['headers'], "Retry-After">; body: ErrorBody<"rate_limit_exceeded" | "api_key_banned", 429> };
        500: { headers: {}; body: ErrorBody<"internal_error", 500> };
        503: { headers: Pick<Schemas["listOrders"]['responses'][503]['headers'], "Retry-After">; body: ErrorBody<"service_unavailable", 503> };
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
    method: "DELETE";
    path: "/store/orders/{orderId}";
    input: {
      path: Schemas["cancelOrder"]['parameters']['path'];
      query: {};
      headers: {};
      body: undefined;
    };
    replies: {
      204: {
        headers: Schemas["cancelOrder"]['responses'][204]['headers'];
        body: undefined;
      };
      400: {
        headers: Schemas["cancelOrder"]['responses'][400]['headers'];
        codes: "invalid_request";
        body: Schemas["cancelOrder"]['responses'][400]['content']["application/json"];
      };
      401: {
        headers: Schemas["cancelOrder"]['responses'][401]['headers'];
        codes: "unauthorized";
        body: Schemas["cancelOrder"]['responses'][401]['content']["application/json"];
      };
      404: {
        headers: Schemas["cancelOrder"]['responses'][404]['headers'];
        codes: "order_not_found";
        body: Schemas["cancelOrder"]['responses'][404]['content']["application/json"];
      };
      409: {
        headers: Schemas["cancelOrder"]['responses'][409]['headers'];
        codes: "order_already_shipped";
        body: Schemas["cancelOrder"]['responses'][409]['content']["application/json"];
      };
      429: {
        headers: Schemas["cancelOrder"]['responses'][429]['headers'];
        codes: "rate_limit_exceeded" | "api_key_banned";
        body: Schemas["cancelOrder"]['responses'][429]['content']["application/json"];
      };
      500: {
        headers: Schemas["cancelOrder"]['responses'][500]['headers'];
        codes: "internal_error";
        body: Schemas["cancelOrder"]['responses'][500]['content']["application/json"];
      };
      503: {
        headers: Schemas["cancelOrder"]['responses'][503]['headers'];
        codes: "service_unavailable";
        body: Schemas["cancelOrder"]['responses'][503]['content']["application/json"];
      };
    };
    handler: {
      input: {
        path: NonNullable<Schemas["cancelOrder"]['parameters']['path']>;
        query: {};
        headers: {};
        body: undefined;
      };
      caller: 'key';
      responses: {
        204: { headers: {}; body: undefined };
        400: { headers: {}; body: ErrorBody<"invalid_request", 400> };
        401: { headers: Pick<Schemas["cancelOrder"]['responses'][401]['headers'], "WWW-Authenticate">; body: ErrorBody<"unauthorized", 401> };
        404: { headers: {}; body: ErrorBody<"order_not_found", 404> };
        409: { headers: {}; body: ErrorBody<"order_already_shipped", 409> };
        429: { headers: Pick<Schemas["cancelOrder"]['responses'][429]['headers'], "Retry-After">; body: ErrorBody<"rate_limit_exceeded" | "api_key_banned", 429> };
        500: { headers: {}; body: ErrorBody<"internal_error", 500> };
        503: { headers: Pick<Schemas["cancelOrder"]['responses'][503]['headers'], "Retry-After">; body: ErrorBody<"service_unavailable", 503> };
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
    method: "GET";
    path: "/pets/{petId}";
    input: {
      path: Schemas["getPet"]['parameters']['path'];
      query: {};
      headers: {};
      body: undefined;
    };
    replies: {
      200: {
        headers: Schemas["getPet"]['responses'][200]['headers'];
        body: Schemas["getPet"]['responses'][200]['content']["application/json"];
      };
      400: {
        headers: Schemas["getPet"]['responses'][400]['headers'];
        codes: "invalid_request";
        body: Schemas["getPet"]['responses'][400]['content']["application/json"];
      };
      401: {
        headers: Schemas["getPet"]['responses'][401]['headers'];
        codes: "unauthorized";
        body: Schemas["getPet"]['responses'][401]['content']["application/json"];
      };
      404: {
        headers: Schemas["getPet"]['responses'][404]['headers'];
        codes: "pet_not_found";
        body: Schemas["getPet"]['responses'][404]['content']["application/json"];
      };
      429: {
        headers: Schemas["getPet"]['responses'][429]['headers'];
        codes: "rate_limit_exceeded" | "api_key_banned";
        body: Schemas["getPet"]['responses'][429]['content']["application/json"];
      };
      500: {
        headers: Schemas["getPet"]['responses'][500]['headers'];
        codes: "internal_error";
        body: Schemas["getPet"]['responses'][500]['content']["application/json"];
      };
      503: {
        headers: Schemas["getPet"]['responses'][503]['headers'];
        codes: "service_unavailable";
        body: Schemas["getPet"]['responses'][503]['content']["application/json"];
      };
    };
    handler: {
      input: {
        path: NonNullable<Schemas["getPet"]['parameters']['path']>;
        query: {};
        headers: {};
        body: undefined;
      };
      caller: 'key';
      responses: {
        200: { headers: {}; body: Schemas["getPet"]['responses'][200]['content']["application/json"] };
        400: { headers: {}; body: ErrorBody<"invalid_request", 400> };
        401: { headers: Pick<Schemas["getPet"]['responses'][401]['headers'], "WWW-Authenticate">; body: ErrorBody<"unauthorized", 401> };
        404: { headers: {}; body: ErrorBody<"pet_not_found", 404> };
        429: { headers: Pick<Schemas["getPet"]['responses'][429]['headers'], "Retry-After">; body: ErrorBody<"rate_limit_exceeded" | "api_key_banned", 429> };
        500: { headers: {}; body: ErrorBody<"internal_error", 500> };
        503: { headers: Pick<Schemas["getPet"]['responses'][503]['headers'], "Retry-After">; body: ErrorBody<"service_unavailable", 503> };
      };
    };
  };
}

/** The same operations as values, for routing, for building requests and for reading replies. */
export const operations: { readonly [Id in keyof Operations]: Operation } = {
  "listOrders": {
    "method": "GET",
    "path": "/store/orders",
    "successes": { "200": "array" },
    "errors": [ 400, 401, 429, 500, 503 ],
  },
  "cancelOrder": {
    "method": "DELETE",
    "path": "/store/orders/{orderId}",
    "int64": [ "orderId" ],
    "successes": { "204": "none" },
    "errors": [ 400, 401, 404, 409, 429, 500, 503 ],
  },
  "getPet": {
    "method": "GET",
    "path": "/pets/{petId}",
    "int64": [ "petId" ],
    "successes": { "200": "object" },
    "errors": [ 400, 401, 404, 429, 500, 503 ],
  },
};
