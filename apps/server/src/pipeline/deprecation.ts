import { policies, type OperationId, type Policy } from '@petstore/contract';

/** The headers of each deprecated operation: Deprecation (RFC 9745), Sunset (RFC 8594) and Link (RFC 8288). */
export const deprecationHeaders: Readonly<Partial<Record<OperationId, Readonly<Record<string, string>>>>> =
  Object.fromEntries(
    Object.entries<Policy>(policies).flatMap(([operationId, { deprecation }]) => {
      if (!deprecation) return [];
      const Link = ['deprecation', 'sunset']
        .map((relation) => `</docs#${operationId}>; rel="${relation}"; type="text/html"`)
        .join(', ');
      const Deprecation = `@${Date.parse(deprecation.since) / 1000}`;
      return [[operationId, { Deprecation, Sunset: new Date(deprecation.sunset).toUTCString(), Link }]];
    }),
  );
