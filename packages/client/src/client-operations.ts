// Generated from openapi.yaml by `npm run generate` of contract-kit 0.1.0. Edit openapi.yaml instead.

import type { ClientOperation } from '@contract-kit/client';
import type { Deprecation } from '@contract-kit/core';
import type { Operations } from '@petstore/contract';

/** How to send each operation, and to read its responses. */
export const operations: { readonly [Id in keyof Operations]: ClientOperation } = {
  "listOrders": {
    "method": "GET",
    "path": "/store/orders",
    "responseTypes": {
      "200": "array"
    },
    "errors": {
      "400": true,
      "401": true,
      "429": true,
      "500": true,
      "503": true
    }
  },
  "cancelOrder": {
    "method": "DELETE",
    "path": "/store/orders/{orderId}",
    "int64": [
      "orderId"
    ],
    "responseTypes": {
      "204": "none"
    },
    "errors": {
      "400": true,
      "401": true,
      "404": true,
      "409": true,
      "429": true,
      "500": true,
      "503": true
    }
  },
  "getPet": {
    "method": "GET",
    "path": "/pets/{petId}",
    "int64": [
      "petId"
    ],
    "responseTypes": {
      "200": "object"
    },
    "errors": {
      "400": true,
      "401": true,
      "404": true,
      "429": true,
      "500": true,
      "503": true
    }
  }
};

/** The JSON type of every declared response header. */
export const headerTypes: Readonly<Record<string, string>> = {
  "X-RateLimit-Limit": "integer",
  "X-RateLimit-Remaining": "integer",
  "X-RateLimit-Reset": "integer",
  "X-Request-Id": "string",
  "WWW-Authenticate": "string",
  "Retry-After": "integer",
  "Deprecation": "string",
  "Sunset": "string",
  "Link": "string"
};

/** The deprecated operations. */
export const deprecations: { readonly [Id in keyof Operations]?: Deprecation } = {
  "getPet": {
    "since": "2026-11-01",
    "sunset": "2027-06-30"
  }
};
