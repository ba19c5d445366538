import type { Operation } from '@kit/contract';
import { basePath, headerTypes } from '@petstore/contract';
import {
  ApiError,
  failure,
  type PetstoreError,
  RateLimitError,
  UnexpectedReplyError,
  type ErrorDetails,
} from './errors.ts';
import { hasExactNumbers } from './exact-integers.ts';
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

/** What a response contains, and whether the contract declares that. */
export interface Content extends Pick<AnyReply, 'declared' | 'body'> {
  /** Whether reading a success has rounded a number in it. */
  readonly isInexact?: boolean;
}

/** What the text of a response is: JSON of the kind that the contract declares; or other JSON; or a mere text. */
export function parse(definition: Operation, status: number, text: string, hide?: Redactor): Content {
  const expected = definition.responseTypes[status];
  if (!text) return { declared: expected === 'none', body: undefined };
  let isInexact = false;
  try {
    // Escapes may have hidden what is to be hidden.
    const reveal = (_name: string, value: unknown) => (typeof value === 'string' ? hide?.(value) : value);
    const body: unknown = JSON.parse(text, hide && reveal);
    const kind = Array.isArray(body) ? 'array' : body === null || typeof body;
    const declared = expected
      ? expected === kind || expected === 'any'
      : definition.errors.includes(status) && !!codeOf(body, status);
    if (hasExactNumbers(body)) return { declared, body };
    isInexact = declared && !!expected;
  } catch {
    // No JSON, or nested too deeply.
  }
  return { declared: false, body: text, isInexact };
}

/** The reply with the headers that the contract declares, which take time to read, and few ask for. */
export function withHeaders(reply: AnyReply): AnyReply {
  return reply.declared ? { ...reply, headers: declaredHeaders(reply.rawHeaders) } : reply;
}

/** The data of a success. Throws the error that any other reply stands for. */
export function dataOf(reply: AnyReply): unknown {
  if (reply.declared && reply.status < 400) return reply.body;
  throw errorOf(reply);
}

function errorOf(reply: AnyReply): PetstoreError {
  const { status, url, rawHeaders, body } = reply;
  const code = codeOf(body, status);
  const location = rawHeaders.get('location');
  let what = code
    ? (body as { message: string }).message
    : `a response with status ${status} that is not of the API`;
  // Browsers hide it.
  if (location || !status) what += `: a redirect to ${location ?? 'elsewhere'}`;
  else if (status === 404 && (!code || code === 'not_found') && !url.includes(`${basePath}/`))
    what += `: there is nothing at ${url}; does baseUrl end in ${basePath}?`;
  const details = detailsOf(reply);
  if (code) return new (status === 429 ? RateLimitError : ApiError)(what, { ...details, code });
  if (status === 429) return failure(RateLimitError, details, 'rate_limit_exceeded', what);
  return failure(UnexpectedReplyError, { ...details, body }, 'unexpected_reply', what);
}

/** What an error says of the reply that it stands for. */
export function detailsOf({
  rawHeaders: headers,
  declared: _declared,
  body: _body,
  ...about
}: AnyReply): Omit<ErrorDetails, 'code'> {
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
