import { bodies, headerTypes } from '@petstore/contract';
import { ApiError, InexactIntegerError, RateLimitError, UnexpectedReplyError } from './errors.ts';
import type { OperationId, RateLimit, ReplyBase, Schemas } from './types.ts';

/** What openapi-fetch gives for an answer: `data` is the text of a 2xx, `error` the rest, parsed where it is JSON. */
export interface Received {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/** A `Reply` before its operation is known to the compiler. */
export interface AnyReply extends ReplyBase {
  readonly declared: boolean;
  readonly status: number;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Reads an answer, and decides whether it is one that the contract declares. */
export function readReply(operation: OperationId, received: Received, attempts: number): AnyReply {
  const { status, ok, headers } = received.response;
  let body = received.data ?? received.error;
  let exact = true;
  if (ok && body && typeof body === 'string') {
    // Walking a long list would cost more than parsing it, and only these can be beyond 2^53−1.
    exact = !/\d{16}|\de/i.test(body);
    try {
      body = JSON.parse(body);
    } catch {
      // Stays the text that it is, which no operation declares.
    }
  }
  const base: ReplyBase = {
    requestId: headers.get('x-request-id') ?? undefined,
    rateLimit: rateLimitOf(headers),
    attempts,
    rawHeaders: headers,
  };
  if (!(ok && exact) && !isExact(body))
    throw new InexactIntegerError(
      `${operation}: the answer has an integer that a number cannot hold exactly`,
      { ...base, operation, status, code: 'inexact_integer' },
    );
  const replies: Record<number, string> = bodies[operation].replies;
  const expected = replies[status];
  const declared =
    !!expected && (ok || isError(body, status)) && (expected === 'any' || kindOf(body) === expected);
  return declared
    ? { declared, status, headers: declaredHeaders(headers), body, ...base }
    : { declared, status, body, ...base };
}

/** The data of a success. Throws the error that any other reply stands for. */
export function dataOf(operation: OperationId, reply: AnyReply): unknown {
  const { declared, status, body, requestId, rateLimit, attempts } = reply;
  if (declared && status < 300) return body;
  const details = { operation, status, requestId, rateLimit, attempts };
  if (isError(body, status)) {
    const { code, message } = body;
    throw new (status === 429 ? RateLimitError : ApiError)(message, { ...details, code });
  }
  throw new UnexpectedReplyError(`${operation}: the answer, with status ${status}, is not one of the API`, {
    ...details,
    code: 'unexpected_reply',
    body,
  });
}

/** The quota that a reply tells of, or nothing if a header is missing or not a number. */
export function rateLimitOf(headers: Headers): RateLimit | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    parseInt(headers.get('x-ratelimit-' + name) ?? ''),
  ) as [number, number, number];
  return limit + remaining + reset >= 0 ? { limit, remaining, reset } : undefined;
}

function declaredHeaders(headers: Headers): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(headerTypes)) {
    const value = headers.get(name);
    if (value !== null) values[name] = type === 'integer' ? Number(value) : value;
  }
  return values;
}

function isError(body: unknown, status: number): body is Schemas['Error'] {
  const { code, message, status: stated } = Object(body) as Partial<Schemas['Error']>;
  return typeof code === 'string' && typeof message === 'string' && stated === status;
}

function isExact(value: unknown): boolean {
  return typeof value === 'object' && value !== null
    ? Object.values(value).every(isExact)
    : typeof value !== 'number' || Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

function kindOf(body: unknown): string {
  if (body === undefined || body === '') return 'none';
  return Array.isArray(body) ? 'array' : body === null ? 'null' : typeof body;
}
