import { operations, type OperationId } from '@petstore/contract';

interface Deprecated {
  readonly deprecation: { readonly since: string; readonly sunset: string };
}

/** The headers of each deprecated operation: Deprecation (RFC 9745), Sunset (RFC 8594) and Link (RFC 8288). */
export const deprecationHeaders: Readonly<Partial<Record<OperationId, Readonly<Record<string, string>>>>> =
  Object.fromEntries(
    Object.entries(operations)
      .filter((entry): entry is [OperationId, (typeof entry)[1] & Deprecated] => 'deprecation' in entry[1])
      .map(([operationId, { deprecation }]) => [
        operationId,
        {
          Deprecation: `@${Date.parse(deprecation.since) / 1000}`,
          Sunset: new Date(deprecation.sunset).toUTCString(),
          Link: ['deprecation', 'sunset']
            .map((relation) => `</docs#${operationId}>; rel="${relation}"; type="text/html"`)
            .join(', '),
        },
      ]),
  );
