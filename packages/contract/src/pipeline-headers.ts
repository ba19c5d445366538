/** The headers of every reply under the base path: no handler sets them, and the contract declares them for each. */
export const headersOfEveryReply = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
] as const;

/** The headers of every reply of a deprecated operation (RFC 9745, RFC 8594, RFC 8288). */
export const headersOfDeprecation = ['Deprecation', 'Sunset', 'Link'] as const;
