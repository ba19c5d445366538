import type { ClientContract, Operation } from '@kit/contract';
import { entryOf } from '@kit/contract/media-type';
import { notFoundAdvice } from '#advice';
import { bytesOf, textOf } from './body.ts';
import type { CallState, Received } from './call-state.ts';
import {
  ApiError,
  failure,
  InexactIntegerError,
  type CallError,
  RateLimitError,
  UnexpectedReplyError,
  type ErrorDetails,
} from './errors.ts';
import { hasExactNumbers } from './exact-integers.ts';
import { noResponse } from './no-response.ts';
import { redactHeaders, type Redactor } from './redact.ts';
import { header } from './response-headers.ts';
import type { ErrorBody, Reply, Result } from './types.ts';

/** What `InexactIntegerError`s say. */
export const INEXACT = 'the response has an integer beyond 2^53';
const UNREADABLE = 'the response is not UTF-8, or longer than 256 MiB';

/** A `Reply` before its operation is known to the compiler. */
export interface AnyReply extends Received {
  /** Without the key unless it is a success. */
  readonly headers: Headers;
  /** Whether the contract declares it: its status, and a body of that kind. */
  readonly declared: boolean;
  readonly body: unknown;
}

/** A success whose body is left unread, if it can be. */
export interface StreamedReply extends AnyReply {
  /** What errors say of it. */
  readonly details: Omit<ErrorDetails, 'code'>;
  /** What a failure to read the body is. */
  readonly broken: (thrown: unknown) => CallError;
}

/** What a response contains, and whether the contract declares that. */
interface Content extends Pick<AnyReply, 'declared' | 'body'> {
  /** Whether reading a success has rounded a number in it. */
  readonly isInexact?: boolean;
}

/** Reads the response to an operation. */
export async function readReply(
  definition: Operation,
  received: Received,
  call: CallState,
  isStreamed: boolean | undefined,
): Promise<AnyReply | StreamedReply> {
  const { response, about } = received;
  const { status } = about;
  const { hide, client } = call;
  const { session } = client;
  const tell = ({ declared, body }: Content): AnyReply => ({
    ...received,
    headers: response.headers,
    declared,
    body,
  });
  // A proxy may respond with what it was sent. Data stays as it is.
  const safe = (content: Content): AnyReply => {
    const headers = redactHeaders(response.headers, hide);
    return { ...tell(content), about: { ...about, requestId: header(headers, 'x-request-id') }, headers };
  };
  const details = () => detailsOf(safe({ declared: false, body: undefined }));

  const expected = entryOf(definition.responseTypes, status);
  if (isStreamed && expected && response.body) {
    const known = details();
    const broken = (thrown: unknown) => noResponse(call, undefined, thrown, known);
    return { ...tell({ declared: true, body: response.body }), details: known, broken };
  }

  const bytes = await bytesOf(response);
  const type = response.headers.get('content-type')?.split(';', 1)[0];
  const isOther = expected !== undefined && expected.includes('/') && type === expected;
  const body = bytes && isOther && !expected.startsWith('text/') ? bytes : bytes && textOf(bytes, !!expected);
  if (body === undefined) throw failure(UnexpectedReplyError, details(), 'unexpected_reply', UNREADABLE);
  if (isOther) return tell({ declared: true, body });
  const text = body as string;
  const content = parse(definition, status, text);
  if (content.isInexact) throw failure(InexactIntegerError, details(), 'inexact_integer', INEXACT);
  if (content.declared && status < 400) return tell(content);
  const hidden = parse(definition, status, hide(text), hide);
  if (status === 429) session.refusalCode = codeOf(hidden.body, status) ?? session.refusalCode;
  return safe(hidden);
}

/** What the text of a response is: JSON of the kind that the contract declares; or other JSON; or a mere text. */
function parse(definition: Operation, status: number, text: string, hide?: Redactor): Content {
  const expected = entryOf(definition.responseTypes, status);
  if (!text) return { declared: expected === 'none', body: undefined };
  let isInexact = false;
  try {
    // Escapes may have hidden what is to be hidden.
    const reveal = (_name: string, value: unknown) => (typeof value === 'string' ? hide?.(value) : value);
    const body: unknown = JSON.parse(text, hide && reveal);
    const kind = Array.isArray(body) ? 'array' : body === null || typeof body;
    const declared = expected
      ? expected === kind || expected === 'any'
      : isError(definition, status) && !!codeOf(body, status);
    if (hasExactNumbers(body)) return { declared, body };
    isInexact = declared && !!expected;
  } catch {
    // No JSON, or nested too deeply.
  }
  return { declared: false, body: text, isInexact };
}

/** Whether the contract declares errors of this status, by itself, its range or `default`. */
function isError({ errors }: Operation, status: number): boolean {
  return (
    status >= 400 &&
    [status, `${Math.floor(status / 100)}XX`, 'default'].some((each) => errors.includes(each))
  );
}

/** What `reply()` gives: with the declared headers, which take time to read, and few ask for. */
export function declaredReply(contract: ClientContract, reply: AnyReply): Omit<Reply, 'operation'> {
  if (!reply.declared) throw errorOf(contract, reply);
  const { about, headers: rawHeaders, body } = reply;
  return { ...about, rawHeaders, headers: declaredHeaders(contract.headerTypes, rawHeaders), body };
}

/** The data of a success. Throws the error that any other reply stands for. */
export function dataOf(contract: ClientContract, reply: AnyReply): unknown {
  if (reply.declared && reply.about.status < 400) return reply.body;
  throw errorOf(contract, reply);
}

/** What `result()` gives. */
export function resultOf(contract: ClientContract, reply: AnyReply): Result<unknown, CallError> {
  const { response, about, declared, body } = reply;
  return declared && about.status < 400
    ? { data: body, error: undefined, response }
    : { data: undefined, error: errorOf(contract, reply), response };
}

function errorOf({ basePath }: ClientContract, reply: AnyReply): CallError {
  const { about, headers, body } = reply;
  const { status, url } = about;
  const code = codeOf(body, status);
  const location = headers.get('location');
  let what = code
    ? `${status} ${code}: ${(body as ErrorBody).message}`
    : `${status}: not a response of the API`;
  // Browsers hide it.
  if (location || !status) what += `: a redirect to ${location ?? 'elsewhere'}`;
  else if (status === 404 && (!code || code === 'not_found') && !url.includes(`${basePath}/`))
    what += `${code ? '' : '.'} ${notFoundAdvice(basePath)}`;
  const details = detailsOf(reply);
  if (code) return failure(status === 429 ? RateLimitError : ApiError, details, code, what);
  if (status === 429) return failure(RateLimitError, details, 'rate_limit_exceeded', what);
  return failure(UnexpectedReplyError, details, 'unexpected_reply', what);
}

/** What an error says of the reply that it stands for. */
function detailsOf({ about, headers, body }: AnyReply): Omit<ErrorDetails, 'code'> {
  return { ...about, headers, body };
}

function declaredHeaders(types: Readonly<Record<string, string>>, headers: Headers): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, type] of Object.entries(types)) {
    const value = headers.get(name);
    if (value === null) continue;
    const read = type === 'string' ? value : type === 'boolean' ? value === 'true' : Number(value);
    // What is rounded, or no number at all, is in the raw headers alone.
    if (hasExactNumbers(read)) values[name] = read;
  }
  return values;
}

/** The code of an error body that states the status of its response, however new that is; otherwise nothing. */
function codeOf(body: unknown, status: number): string | undefined {
  const { code, message, status: stated } = Object(body) as Record<string, unknown>;
  const isError = status >= 400 && stated === status;
  return isError && typeof code === 'string' && typeof message === 'string' ? code : undefined;
}
