import { hasExactNumbers } from '@contract-kit/core/json';
import { entryOf, essenceOf, isJson, isText, isWithin, type StreamForm } from '@contract-kit/core/http';
import { noResponse, notFoundAdvice } from '#platform';
import type { ClientContract, ClientOperation } from './client-contract.ts';
import type { Call, Received } from './call-state.ts';
import {
  ApiError,
  failure,
  InexactIntegerError,
  type CallError,
  RateLimitError,
  UnexpectedReplyError,
  type ErrorDetails,
} from './errors.ts';
import { redactHeaders } from './redact.ts';
import type { Reply, Result } from './types.ts';

export const INEXACT = 'the response has an integer beyond 2^53';

/** The most bytes of a body. A longer one should be streamed. */
export const MAX_LENGTH = 2 ** 28;

const RANGE_OF_JSON = /^(application|\*)\/\*/;

interface Content {
  /** Whether the contract declares it: its status, and a body of that kind. */
  readonly declared: boolean;
  readonly body: unknown;
}

/** A `Reply` before its operation is known to the compiler. */
export interface AnyReply extends Received, Content {
  /** Without the key unless it is a success. */
  readonly headers: Headers;
}

/** A success whose body stays unread, if possible. */
export interface StreamedReply extends AnyReply {
  readonly call: Call;
  /** How its items are written, unless it is a list. */
  readonly form: StreamForm | undefined;
  /** Its description in errors. */
  readonly details: Omit<ErrorDetails, 'code'>;
  /** The error if the body cannot be read. */
  readonly broken: (thrown: unknown) => CallError;
}

export async function readReply(
  contract: ClientContract,
  definition: ClientOperation,
  received: Received,
  call: Call,
  isStreamed: boolean | undefined,
): Promise<AnyReply | StreamedReply> {
  const { response, about } = received;
  const { status } = about;
  const { hide, session } = call;
  const { headers } = response;
  const type = essenceOf(headers.get('content-type') ?? '');
  const scalar = type === 'text/plain' && entryOf(definition.scalars ?? {}, status);
  const expected = scalar || entryOf(definition.responseTypes, status);
  const isSuccess = status < 400;
  const hasBody = isSuccess ? undefined : entryOf(definition.errors, status);
  const tell = (content: Content): AnyReply => ({ response, about, headers, ...content });
  // A proxy may echo the request. Data stays unchanged.
  const safe = (content: Content) => ({ ...tell(content), headers: redactHeaders(headers, hide) });
  const details = () => detailsOf(safe({ declared: false, body: undefined }));

  /** The kind of a text: declared JSON, other JSON, or plain text. */
  function parse(text: string, reveal?: (name: string, value: unknown) => unknown) {
    if (!text) return { declared: expected === 'none' || hasBody === false, body: undefined };
    let isInexact = false;
    try {
      const body: unknown = JSON.parse(text, reveal);
      const kind = Array.isArray(body) ? 'array' : body === null || typeof body;
      const declared = expected
        ? expected === kind || expected === 'any'
        : hasBody !== undefined && !!describedBy(contract, body, status);
      if (hasExactNumbers(body)) return { declared, body };
      isInexact = declared && !!expected;
    } catch {
      // No JSON, or nested too deeply.
    }
    return { declared: false, body: text, isInexact };
  }

  const form = entryOf(definition.streams ?? {}, status)?.[type];
  if ((isStreamed || form) && expected && response.body) {
    const known = details();
    const broken = (thrown: unknown) => noResponse(call, known, 'the response broke off', thrown);
    return { ...tell({ declared: true, body: response.body }), call, form, details: known, broken };
  }

  const bytes = await bytesOf(response);
  const declaredType = isSuccess ? expected : entryOf(definition.errorTypes ?? {}, status);
  // Bytes of a range may be JSON too. Other bytes are not of a range that JSON is in.
  const isOfRange = expected?.includes('*') && !isText(expected) && isWithin(type, expected);
  const declared = isOfRange
    ? expected
    : [declaredType, ...(isSuccess ? (definition.accept?.split(',') ?? []) : [])].find(
        (item) =>
          type.includes('/') && item && isWithin(type, item) && (!RANGE_OF_JSON.test(item) || isText(type)),
      );
  const isOther = declared && !scalar && definition.method !== 'HEAD' && (isOfRange || !isJson(type));
  const isBytes = isOther && !isText(isOfRange ? declared : type);
  const body = isBytes ? bytes : bytes && decodedText(bytes, !!expected);
  const unreadable = 'the response is not UTF-8, or longer than 256 MiB';
  if (body === undefined) throw failure(UnexpectedReplyError, details(), 'unexpected_reply', unreadable);
  if (isOther && isSuccess) return tell({ declared: true, body });
  if (isOther) return safe({ declared: true, body: typeof body === 'string' ? hide(body) : body });
  const text = body as string;
  const content = parse(text);
  if (content.isInexact) throw failure(InexactIntegerError, details(), 'inexact_integer', INEXACT);
  if (content.declared && isSuccess) return tell(content);
  // Escapes may have hidden a secret.
  const hidden = parse(hide(text), (_name, value) => (typeof value === 'string' ? hide(value) : value));
  if (status === 429) {
    session.refusalCode = describedBy(contract, hidden.body, status)?.code ?? session.refusalCode;
  }
  return safe(hidden);
}

/** Reads the whole body; `undefined` if it is too long. */
async function bytesOf(response: Response): Promise<Uint8Array | undefined> {
  const body: ReadableStream<Uint8Array<ArrayBuffer>> | null = response.body;
  const reader = body?.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    chunks.push(read.value);
    length += read.value.length;
    if (length > MAX_LENGTH) return void reader?.cancel();
  }
  const [first] = chunks;
  return first && chunks.length === 1 ? first : new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** The text of UTF-8 bytes; `undefined` if they are not, and `isStrict`. */
function decodedText(bytes: Uint8Array, isStrict: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: isStrict }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The result of `reply()`, with the declared headers, which are slow to read and rarely needed. */
export function declaredReply(
  contract: ClientContract,
  { headerTypes = {}, jsonHeaders = {} }: ClientOperation,
  reply: AnyReply,
): Omit<Reply, 'operation'> {
  const { about, headers: rawHeaders, body, declared } = reply;
  if (!declared) throw errorOf(contract, reply);
  const headers: Record<string, unknown> = {};
  const own = entryOf(headerTypes, about.status);
  const inJson = entryOf(jsonHeaders, about.status);
  for (const [name, type] of Object.entries({ ...contract.headerTypes, ...own })) {
    const value = rawHeaders.get(name);
    if (value === null) continue;
    const [kind, item = kind] = type.split(' ');
    const texts = kind === 'array' ? value.split(/ *, */) : [value];
    const values = texts.map((text) =>
      item === 'string' ? text : item === 'boolean' ? text === 'true' : Number(text),
    );
    const read = inJson?.includes(name) ? jsonIn(value) : kind === 'array' ? values : values[0];
    // Inexact or malformed values are only in the raw headers.
    if (read !== undefined && hasExactNumbers(read)) headers[name] = read;
  }
  return { ...about, rawHeaders, headers, body };
}

/** The value of a JSON text, or nothing if it is none. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function resultOf(contract: ClientContract, reply: AnyReply): Result<unknown, CallError> {
  const { response, about, declared, body } = reply;
  return declared && about.status < 400
    ? { data: body, error: undefined, response }
    : { data: undefined, error: errorOf(contract, reply), response };
}

/** The data of a success. Throws the error of any other reply. */
export function dataOf(contract: ClientContract, reply: AnyReply): unknown {
  const { data, error } = resultOf(contract, reply);
  if (error) throw error;
  return data;
}

function errorOf(contract: ClientContract, reply: AnyReply): CallError {
  const { about, headers, body, declared } = reply;
  const { status, url } = about;
  const plain = typeof body === 'string' ? body : body === undefined ? 'no body' : undefined;
  const described =
    declared && plain !== undefined
      ? { code: `${status}`, message: plain }
      : describedBy(contract, body, status);
  const code = described?.code;
  const location = headers.get('location');
  let what = code ? `${status} ${code}: ${described?.message}` : `${status}: not a response of the API`;
  // Browsers hide it.
  if (location || !status) what += `: a redirect to ${location ?? 'elsewhere'}`;
  else if (status === 404 && (!code || code === 'not_found') && !url.includes(`${contract.basePath}/`))
    what += `${code ? '' : '.'} ${notFoundAdvice(contract.basePath)}`;
  const details = detailsOf(reply);
  if (status === 429) return failure(RateLimitError, details, code ?? 'rate_limit_exceeded', what);
  if (code) return failure(ApiError, details, code, what);
  return failure(UnexpectedReplyError, details, 'unexpected_reply', what);
}

function detailsOf({ about, headers, body }: AnyReply): Omit<ErrorDetails, 'code'> {
  return { ...about, headers, body };
}

/** The code and message of an error body that states the status of its response, or has the contract's own shape. */
function describedBy({ serviceErrors }: ClientContract, body: unknown, status: number) {
  const own = Object(body) as { readonly [name: string]: unknown; readonly error?: object };
  const text = (...values: unknown[]) => values.find((value) => typeof value === 'string');
  const isOurs = text(own['code']) && text(own['message']) && own['status'] === status;
  if (status < 400 || !(isOurs || (serviceErrors && typeof body === 'object'))) return undefined;
  // Many APIs put them into a field.
  const { code, type, message, detail, title, error }: Record<string, unknown> = { ...own.error, ...own };
  return {
    code: text(code, type) ?? `${status}`,
    message: text(message, detail, title, error) ?? JSON.stringify(body),
  };
}
