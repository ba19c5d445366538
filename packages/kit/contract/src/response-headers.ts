import type { Deprecation } from './operation.ts';
import type { RateLimitState } from './windows.ts';

/** The headers of each deprecated operation: Deprecation (RFC 9745), Sunset (RFC 8594) and Link (RFC 8288). */
export function deprecationHeaders(
  deprecations: Readonly<Partial<Record<string, Deprecation>>>,
): Readonly<Partial<Record<string, Readonly<Record<string, string>>>>> {
  return Object.fromEntries(
    Object.entries(deprecations).flatMap(([operationId, deprecation]) => {
      if (!deprecation) return [];
      const Link = ['deprecation', 'sunset']
        .map((relation) => `</docs#${operationId}>; rel="${relation}"; type="text/html"`)
        .join(', ');
      const Deprecation = `@${Date.parse(deprecation.since) / 1000}`;
      return [[operationId, { Deprecation, Sunset: new Date(deprecation.sunset).toUTCString(), Link }]];
    }),
  );
}

export function rateLimitHeaders({ limit, remaining, resetAt }: RateLimitState): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetAt / 1000)),
  };
}

/** Keeps a client's request id if it is safe in headers and logs. */
export const WELL_FORMED_REQUEST_ID = /^[\w.:@+/=-]{1,128}$/;
