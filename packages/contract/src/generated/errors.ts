// Generated from openapi.yaml by `npm run generate` of contract-kit 0.1.0. Edit openapi.yaml instead.

/** Every known error code with its HTTP status. */
export const errorCodes = {
  /** 400: The request is malformed, or a parameter is missing, unknown or out of range. Do not retry it unchanged. */
  invalid_request: 400,
  /** 401: The API key is missing, unknown or revoked. */
  unauthorized: 401,
  /** 404: No order has the given id. */
  order_not_found: 404,
  /** 404: No pet has the given id. */
  pet_not_found: 404,
  /** 404: There is nothing at this path. */
  not_found: 404,
  /** 405: The path exists, but not for this method. The `Allow` header lists the methods it has. */
  method_not_allowed: 405,
  /** 408: The request did not arrive completely in time. */
  request_timeout: 408,
  /** 409: The order has already shipped. It stays as it is; shipping cannot be reversed. */
  order_already_shipped: 409,
  /** 415: The operation does not accept a body of this media type. */
  unsupported_media_type: 415,
  /** 417: The `Expect` header asks for something other than `100-continue`. */
  expectation_failed: 417,
  /** 429: A quota of the plan is used up. Wait for the seconds in `Retry-After`, then retry with exponential backoff. */
  rate_limit_exceeded: 429,
  /** 429: The key kept sending requests after repeated `429` responses and is banned until the time that `Retry-After` and `X-RateLimit-Reset` give. */
  api_key_banned: 429,
  /** 431: The request line and headers are too large. */
  request_header_fields_too_large: 431,
  /** 500: The server failed. Quote the `X-Request-Id` to support. The request may be retried. */
  internal_error: 500,
  /** 503: The server is temporarily unavailable. Retry after the seconds in `Retry-After`. */
  service_unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorCodes;
