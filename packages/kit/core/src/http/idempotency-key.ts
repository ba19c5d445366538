import { isSafe } from './method.ts';

/** The request header that makes an operation safe to repeat (draft-ietf-httpapi-idempotency-key-header), in lower case. */
export const IDEMPOTENCY_KEY = 'idempotency-key';

/** The name of that header as an operation declares it; undefined if a request cannot have one. */
export function idempotencyKeyOf({
  method,
  headers = [],
}: {
  readonly method: string;
  readonly headers?: readonly string[];
}): string | undefined {
  if (isSafe(method)) return undefined;
  return headers.find((name) => name.toLowerCase() === IDEMPOTENCY_KEY);
}
