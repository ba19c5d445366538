import { headerTypes } from '@petstore/contract/published';
import {
  ApiError,
  failure,
  InexactIntegerError,
  type PetstoreError,
  RateLimitError,
  UnexpectedReplyError,
  type ErrorDetails,
} from './errors.ts';
import { hasExactNumbers } from './exact-integers.ts';
import { adviceOnReply } from './advice.ts';
import type { Definition } from './definition.ts';
import type { Redactor } from './redact.ts';
import type { ReplyBase } from './types.ts';

/** What `InexactIntegerError`s say. */
export const INEXACT = 'the response has an integer beyond 2^53';

/** A `Reply` before its operation is known to the compiler. */
export interface AnyReply extends ReplyBase {
  readonly declared: boolean;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** A success whose body is left unread, if it can be. */
export interface StreamedReply extends AnyReply {
  /** What errors say of it. */
  readonly details: Omit<ErrorDetails, 'code'>;
  /** What a failure to read the body is. */
  readonly broken: (thrown: unknown) => PetstoreError;
}

/** What the body of a status below 400 is to be, as in `Operation.successes`; for other routes, JSON or nothing. */
export function expectedOf({ successes }: Definition, status: number): string | undefined {
  return successes ? successes[status] : status >= 200 && status < 300 ? 'unknown' : undefined;
}

/**
 * Decides whether a response is one that the contract declares; a stream is trusted to be what its status promises.
 * Throws an InexactIntegerError if reading a success has rounded a number; `safe` gives what it may say.
 */
export function readReply(
  definition: Definition,
  base: ReplyBase,
  content: string | Uint8Array | ReadableStream,
  safe: () => ReplyBase,
  hide?: Redactor,
): AnyReply {
  const { status, rawHeaders } = base;
  const expected = expectedOf(definition, status);
  const isOther = isOfType(expected, rawHeaders);
  let body: unknown = content;
  let declared = isOther || (!content && /^(none|unknown)$/.test(expected ?? ''));
  if (content && !isOther) {
    let isFaulty;
    try {
      // Escapes may have hidden what is to be hidden.
      const reveal =
        hide && ((_name: string, value: unknown) => (typeof value === 'string' ? hide(value) : value));
      if (typeof content === 'string') body = JSON.parse(content, reveal);
      const kind = Array.isArray(body) ? 'array' : body === null || typeof body;
      declared = expected
        ? expected === kind || /^(any|unknown)$/.test(expected) || body === content
        : !!definition.errors?.includes(status) && !!codeOf(body, status);
      // Walking a long list costs more than parsing it, and without these no number in it is beyond 2^53−1.
      isFaulty = /\d{16}|\d[eE]/.test(content as string) && !hasExactNumbers(body);
    } catch {
      // No JSON, or nested too deeply.
      declared = !(isFaulty = true);
    }
    if (isFaulty) {
      if (declared && expected)
        throw failure(InexactIntegerError, detailsOf(safe()), 'inexact_integer', INEXACT);
      // Undeclared, and the text that it is.
      declared = false;
      body = content;
    }
  }
  // A reply that is spread into another one takes longer than the rest of this.
  return Object.assign(base, { declared, body: content || isOther ? body : undefined });
}

/** The reply with the headers that the contract declares, which take time to read, and few ask for. */
export function withHeaders(reply: AnyReply): AnyReply {
  return reply.declared ? { ...reply, headers: declaredHeaders(reply.rawHeaders) } : reply;
}

/** Whether a response is of the type that is `expected` of it, where that is not JSON. */
export function isOfType(expected: string | undefined, headers: Headers): boolean {
  return !!expected?.includes('/') && headers.get('content-type')?.split(';', 1)[0] === expected;
}

/** The data of a success. Throws the error that any other reply stands for. */
export function dataOf(reply: AnyReply): unknown {
  if (reply.declared && reply.status < 400) return reply.body;
  throw errorOf(reply);
}

function errorOf({ declared: _declared, body, ...base }: AnyReply): PetstoreError {
  const { status, url, rawHeaders } = base;
  const code = codeOf(body, status);
  const what =
    (code
      ? (body as { message: string }).message
      : `a response with status ${status} that is not of the API`) +
    adviceOnReply(status, code, url, rawHeaders.get('location'));
  const details = detailsOf(base);
  if (code) return new (status === 429 ? RateLimitError : ApiError)(what, { ...details, code });
  if (status === 429) return failure(RateLimitError, details, 'rate_limit_exceeded', what);
  return failure(UnexpectedReplyError, { ...details, body }, 'unexpected_reply', what);
}

/** What an error says of the reply that it stands for. */
export function detailsOf({ rawHeaders: headers, ...about }: ReplyBase): Omit<ErrorDetails, 'code'> {
  return { ...about, headers };
}

function declaredHeaders(headers: Headers): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(headerTypes)) {
    const value = headers.get(name);
    if (value === null) continue;
    const read = type === 'string' ? value : type === 'boolean' ? value === 'true' : Number(value);
    // What is rounded, or no number at all, is in the raw headers alone.
    if (hasExactNumbers(read)) values[name] = read;
  }
  return values;
}

/** The code of an Error object that states the status of its response, however new that is; otherwise nothing. */
export function codeOf(body: unknown, status: number): string | undefined {
  const { code, message, status: stated } = Object(body) as Record<string, unknown>;
  const isError = status >= 400 && stated === status;
  return isError && typeof code === 'string' && typeof message === 'string' ? code : undefined;
}
