/** The headers of every response under the base path. The pipeline sets them, and the contract declares them. */
export const headersOfEveryResponse = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
] as const;

/** The additional headers of a status (RFC 9110 §11.6.1, §10.2.3). */
export const headersOfStatus: Readonly<Record<string, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** The headers of every response of a deprecated operation (RFC 9745, RFC 8594, RFC 8288). */
export const headersOfDeprecation = ['Deprecation', 'Sunset', 'Link'] as const;

/** Marks a response that is only an example. */
export const exampleHeader = 'X-Example';
