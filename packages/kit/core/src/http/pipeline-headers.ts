import type { Deprecation } from '../contract/index.ts';
import type { RateLimitState } from '../limits/index.ts';

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

/** The headers of a deprecated operation: Deprecation (RFC 9745), Sunset (RFC 8594) and Link (RFC 8288). */
export function deprecationHeaders(
  operationId: string,
  { since, sunset }: Deprecation,
): Readonly<Record<string, string>> {
  const Link = ['deprecation', ...(sunset === undefined ? [] : ['sunset'])]
    .map((relation) => `</docs#${operationId}>; rel="${relation}"; type="text/html"`)
    .join(', ');
  const Deprecation = `@${Date.parse(since) / 1000}`;
  const Sunset = sunset === undefined ? {} : { Sunset: new Date(sunset).toUTCString() };
  return { Deprecation, ...Sunset, Link };
}

export function rateLimitHeaders({ limit, remaining, resetAt }: RateLimitState): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetAt / 1000)),
  };
}
