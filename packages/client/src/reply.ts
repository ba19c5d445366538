import { headerTypes, operations } from '@petstore/contract';
import { ApiError, InexactIntegerError, RateLimitError, UnexpectedReplyError } from './errors.ts';
import { hasExactNumbers } from './exact-integers.ts';
import type { OperationId, ReplyBase } from './types.ts';

/** A `Reply` before its operation is known to the compiler. */
export interface AnyReply extends ReplyBase {
  readonly declared: boolean;
  readonly status: number;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/**
 * Decides whether a response is one that the contract declares; a stream is trusted to be what its status promises.
 * Throws an InexactIntegerError if reading a success has rounded a number.
 */
export function readReply(
  operation: OperationId,
  status: number,
  content: string | Uint8Array | ReadableStream,
  base: ReplyBase,
): AnyReply {
  const { successes, errors } = operations[operation];
  const expected = successes[status];
  let body: unknown = content;
  const isOther = isOfType(expected, base.rawHeaders);
  let declared = isOther || (expected === 'none' && !content);
  if (content && !isOther) {
    try {
      if (typeof content === 'string') body = JSON.parse(content);
      const kind = Array.isArray(body) ? 'array' : body === null || typeof body;
      declared = expected
        ? expected === kind || expected === 'any' || body === content
        : errors.includes(status) && !!codeOf(body, status);
      // Walking a long list costs more than parsing it, and without these no number in it is beyond 2^53−1.
      if (/\d{16}|\de/i.test(content as string) && !hasExactNumbers(body))
        throw new InexactIntegerError(
          `${operation}: the response has an integer beyond 2^53`,
          detailsOf(operation, 'inexact_integer', status, base),
        );
    } catch (error) {
      if (declared && expected && error instanceof InexactIntegerError) throw error;
      // No JSON, nested too deeply, or no success and with a rounded number: undeclared, and the text that it is.
      declared = false;
      body = content;
    }
  }
  return {
    declared,
    status,
    body: content || isOther ? body : undefined,
    ...(declared && { headers: declaredHeaders(base.rawHeaders) }),
    ...base,
  };
}

/** Whether a response is of the type that is `expected` of it, where that is not JSON. */
export function isOfType(expected: string | undefined, headers: Headers): boolean {
  return !!expected && headers.get('content-type')?.split(';', 1)[0] === expected;
}

/** The data of a success. Throws the error that any other reply stands for. */
export function dataOf(operation: OperationId, reply: AnyReply): unknown {
  const { declared, status, body } = reply;
  if (declared && status < 400) return body;
  const code = codeOf(body, status);
  const message = code
    ? (body as { message: string }).message
    : `${operation}: a response with status ${status} that is not of the API`;
  const fallback = status === 429 ? 'rate_limit_exceeded' : 'unexpected_reply';
  const details = detailsOf(operation, code ?? fallback, status, reply);
  if (status === 429) throw new RateLimitError(message, details);
  if (code) throw new ApiError(message, details);
  throw new UnexpectedReplyError(message, { ...details, body });
}

function detailsOf(operation: OperationId, code: string, status: number, base: ReplyBase) {
  const { requestId, rateLimit, retryAfter, attempts } = base;
  return { operation, code, status, requestId, rateLimit, retryAfter, attempts };
}

function declaredHeaders(headers: Headers): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(headerTypes)) {
    const value = headers.get(name);
    if (value !== null)
      values[name] =
        type === 'string' ? value : /^(integer|number)$/.test(type) ? Number(value) : value === 'true';
  }
  return values;
}

/** The code of an Error object that states the status of its response, however new that is; otherwise nothing. */
export function codeOf(body: unknown, status: number): string | undefined {
  const { code, message, status: stated } = Object(body) as Record<string, unknown>;
  const isError = status >= 400 && stated === status;
  return isError && typeof code === 'string' && typeof message === 'string' ? code : undefined;
}
