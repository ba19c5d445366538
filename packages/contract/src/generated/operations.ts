// Generated from openapi.yaml by `npm run generate` of contract-kit 0.1.0. Edit openapi.yaml instead.

import type { operations as Schemas } from './schema.ts';

/** Every operation of the contract by its operationId. `caller` says whether a request has a key. */
export interface Operations {
  /**
   * List orders
   *
   * Returns every order placed in the store, cancelled ones included, ordered by id.
   *
   * One response has all of them: v1 has no filtering and no pagination.
   */
  listOrders: {
    method: "GET";
    path: "/store/orders";
    caller: 'key';
    input: ListOrdersInput;
    received: ListOrdersReceived;
    responses: ListOrdersResponses;
  };
  /**
   * Cancel an order
   *
   * Cancels a pending order. A shipped order cannot be cancelled.
   *
   * Cancelling is idempotent: if the order is already cancelled, the response is `204` again, so it is safe to
   * repeat after a lost response.
   */
  cancelOrder: {
    method: "DELETE";
    path: "/store/orders/{orderId}";
    caller: 'key';
    input: CancelOrderInput;
    received: CancelOrderReceived;
    responses: CancelOrderResponses;
  };
  /**
   * Get a pet
   *
   * Returns one pet.
   *
   * Deprecated without a replacement: the operation is removed on its sunset date. Until then every response has
   * `Deprecation`, `Sunset` and `Link`.
   *
   * @deprecated since 2026-11-01; goes away on 2027-06-30.
   */
  getPet: {
    method: "GET";
    path: "/pets/{petId}";
    caller: 'key';
    input: GetPetInput;
    received: GetPetReceived;
    responses: GetPetResponses;
  };
}

/** The input of `listOrders` as callers send it. */
export interface ListOrdersInput {
  path: {};
  query: {};
  headers: {};
  body: undefined;
}

/** The input of `listOrders` as its handler receives it. */
export interface ListOrdersReceived extends ListOrdersInput {}

/** The responses of `listOrders` by status. `own` names the headers that the handler sets. */
export interface ListOrdersResponses {
  /** Every order placed in the store. */
  200: {
    headers: Schemas["listOrders"]['responses'][200]['headers'];
    own: never;
    body: Schemas["listOrders"]['responses'][200]['content']["application/json"];
  };
  /** The request is malformed, or a parameter is missing, unknown or out of range. Do not retry it unchanged. */
  400: {
    headers: Schemas["listOrders"]['responses'][400]['headers'];
    own: never;
    codes: "invalid_request";
    body: Schemas["listOrders"]['responses'][400]['content']["application/json"];
  };
  /** The API key is missing, unknown or revoked. */
  401: {
    headers: Schemas["listOrders"]['responses'][401]['headers'];
    own: "WWW-Authenticate";
    codes: "unauthorized";
    body: Schemas["listOrders"]['responses'][401]['content']["application/json"];
  };
  /** A quota is used up, or the key is banned. Wait for the seconds in `Retry-After`. */
  429: {
    headers: Schemas["listOrders"]['responses'][429]['headers'];
    own: "Retry-After";
    codes: "rate_limit_exceeded" | "api_key_banned";
    body: Schemas["listOrders"]['responses'][429]['content']["application/json"];
  };
  /** The server failed. Quote the `X-Request-Id` to support. The request may be retried. */
  500: {
    headers: Schemas["listOrders"]['responses'][500]['headers'];
    own: never;
    codes: "internal_error";
    body: Schemas["listOrders"]['responses'][500]['content']["application/json"];
  };
  /** The server is temporarily unavailable. Retry after the seconds in `Retry-After`. */
  503: {
    headers: Schemas["listOrders"]['responses'][503]['headers'];
    own: "Retry-After";
    codes: "service_unavailable";
    body: Schemas["listOrders"]['responses'][503]['content']["application/json"];
  };
}

/** The input of `cancelOrder` as callers send it. */
export interface CancelOrderInput {
  path: NonNullable<Schemas["cancelOrder"]['parameters']['path']>;
  query: {};
  headers: {};
  body: undefined;
}

/** The input of `cancelOrder` as its handler receives it. */
export interface CancelOrderReceived extends CancelOrderInput {}

/** The responses of `cancelOrder` by status. `own` names the headers that the handler sets. */
export interface CancelOrderResponses {
  /** The order is cancelled. */
  204: {
    headers: Schemas["cancelOrder"]['responses'][204]['headers'];
    own: never;
    body: undefined;
  };
  /** The request is malformed, or a parameter is missing, unknown or out of range. Do not retry it unchanged. */
  400: {
    headers: Schemas["cancelOrder"]['responses'][400]['headers'];
    own: never;
    codes: "invalid_request";
    body: Schemas["cancelOrder"]['responses'][400]['content']["application/json"];
  };
  /** The API key is missing, unknown or revoked. */
  401: {
    headers: Schemas["cancelOrder"]['responses'][401]['headers'];
    own: "WWW-Authenticate";
    codes: "unauthorized";
    body: Schemas["cancelOrder"]['responses'][401]['content']["application/json"];
  };
  /** No order has the given id. */
  404: {
    headers: Schemas["cancelOrder"]['responses'][404]['headers'];
    own: never;
    codes: "order_not_found";
    body: Schemas["cancelOrder"]['responses'][404]['content']["application/json"];
  };
  /** The order has already shipped. It stays as it is; shipping cannot be reversed. */
  409: {
    headers: Schemas["cancelOrder"]['responses'][409]['headers'];
    own: never;
    codes: "order_already_shipped";
    body: Schemas["cancelOrder"]['responses'][409]['content']["application/json"];
  };
  /** A quota is used up, or the key is banned. Wait for the seconds in `Retry-After`. */
  429: {
    headers: Schemas["cancelOrder"]['responses'][429]['headers'];
    own: "Retry-After";
    codes: "rate_limit_exceeded" | "api_key_banned";
    body: Schemas["cancelOrder"]['responses'][429]['content']["application/json"];
  };
  /** The server failed. Quote the `X-Request-Id` to support. The request may be retried. */
  500: {
    headers: Schemas["cancelOrder"]['responses'][500]['headers'];
    own: never;
    codes: "internal_error";
    body: Schemas["cancelOrder"]['responses'][500]['content']["application/json"];
  };
  /** The server is temporarily unavailable. Retry after the seconds in `Retry-After`. */
  503: {
    headers: Schemas["cancelOrder"]['responses'][503]['headers'];
    own: "Retry-After";
    codes: "service_unavailable";
    body: Schemas["cancelOrder"]['responses'][503]['content']["application/json"];
  };
}

/** The input of `getPet` as callers send it. */
export interface GetPetInput {
  path: NonNullable<Schemas["getPet"]['parameters']['path']>;
  query: {};
  headers: {};
  body: undefined;
}

/** The input of `getPet` as its handler receives it. */
export interface GetPetReceived extends GetPetInput {}

/** The responses of `getPet` by status. `own` names the headers that the handler sets. */
export interface GetPetResponses {
  /** The pet. */
  200: {
    headers: Schemas["getPet"]['responses'][200]['headers'];
    own: never;
    body: Schemas["getPet"]['responses'][200]['content']["application/json"];
  };
  /** The request is malformed, or a parameter is missing, unknown or out of range. Do not retry it unchanged. */
  400: {
    headers: Schemas["getPet"]['responses'][400]['headers'];
    own: never;
    codes: "invalid_request";
    body: Schemas["getPet"]['responses'][400]['content']["application/json"];
  };
  /** The API key is missing, unknown or revoked. */
  401: {
    headers: Schemas["getPet"]['responses'][401]['headers'];
    own: "WWW-Authenticate";
    codes: "unauthorized";
    body: Schemas["getPet"]['responses'][401]['content']["application/json"];
  };
  /** No pet has the given id. */
  404: {
    headers: Schemas["getPet"]['responses'][404]['headers'];
    own: never;
    codes: "pet_not_found";
    body: Schemas["getPet"]['responses'][404]['content']["application/json"];
  };
  /** A quota is used up, or the key is banned. Wait for the seconds in `Retry-After`. */
  429: {
    headers: Schemas["getPet"]['responses'][429]['headers'];
    own: "Retry-After";
    codes: "rate_limit_exceeded" | "api_key_banned";
    body: Schemas["getPet"]['responses'][429]['content']["application/json"];
  };
  /** The server failed. Quote the `X-Request-Id` to support. The request may be retried. */
  500: {
    headers: Schemas["getPet"]['responses'][500]['headers'];
    own: never;
    codes: "internal_error";
    body: Schemas["getPet"]['responses'][500]['content']["application/json"];
  };
  /** The server is temporarily unavailable. Retry after the seconds in `Retry-After`. */
  503: {
    headers: Schemas["getPet"]['responses'][503]['headers'];
    own: "Retry-After";
    codes: "service_unavailable";
    body: Schemas["getPet"]['responses'][503]['content']["application/json"];
  };
}
