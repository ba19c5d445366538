import { jsonInHeader, essenceOf, isJson } from '@contract-kit/core/http';
import { statusFor } from '@contract-kit/core/errors';
import type { Request, Response } from 'express';
import type { ApiError } from '../http/api-error.ts';
import { chooseType } from '../http/choose-type.ts';
import { bytesOf, headersOfFile, isAsyncIterable, isFileBody, type FileBody } from '../http/file-body.ts';
import { JSON_IN_UTF8, JSON_TYPE } from '../http/headers.ts';
import { needsSandbox } from '../http/sandbox.ts';
import { List, type Batches } from '../http/list.ts';
import type { KeptResponse } from '../idempotency/claim.ts';
import { requestContextOf, type Match, type RequestContext, type Outgoing } from './request-context.ts';
import { JSON_PLAN, type ResponsePlan } from './response-plan.ts';
import { respondInBatches, respondInParts } from './respond-in-batches.ts';
import { respondWithStream } from './respond-with-stream.ts';

/** The response of a stage or a handler. Only `respond` turns it into bytes. */
export interface ResponseContent {
  readonly status: number;
  /** Texts, numbers and booleans; any values if the contract says that they are JSON. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /** A JSON value or a List; text, bytes, a FileBody or an iterable of items if the contract says so, or with a Content-Type header. */
  readonly body?: unknown;
}

/** Writes the only response to `req`. Resolves just before the socket gets it, or when the socket has closed. */
export function respond(req: Request, res: Response, content: ResponseContent): Promise<void> | undefined {
  const context = requestContextOf(req);
  const chosen = withMediaType(req, context, content);
  const { body } = chosen;
  if (body instanceof List) return body.read().then((array) => write(req, res, { ...chosen, body: array }));
  return isFileBody(body) ? writeFile(req, res, chosen, body) : write(req, res, chosen);
}

/** `content` as it is sent to `req`, with its body as bytes. Undefined if it is a stream, or a file of more than `most`. */
export async function wholeResponse(
  req: Request,
  content: ResponseContent,
  most: number,
): Promise<KeptResponse | undefined> {
  const context = requestContextOf(req);
  const chosen = withMediaType(req, context, content);
  let whole = chosen;
  if (chosen.body instanceof List) {
    const array = await chosen.body.read();
    whole = { ...chosen, body: Buffer.isBuffer(array) ? array : ((await array.whole?.()) ?? array) };
  } else if (chosen.body instanceof Blob && chosen.body.size <= most) {
    const described = headersOfFile(chosen.body, planOf(context.match, chosen.status).types);
    const body = Buffer.from(await chosen.body.arrayBuffer());
    whole = { ...chosen, headers: { ...described, ...chosen.headers }, body };
  } else if (isFileBody(chosen.body)) return undefined;
  const { status, head, body } = outgoingOf({ ...context, headers: {} }, whole);
  if (typeof body === 'object' && !Buffer.isBuffer(body)) return undefined;
  return { status, headers: head, body: typeof body === 'string' ? Buffer.from(body) : body };
}

function write(req: Request, res: Response, content: ResponseContent): Promise<void> | undefined {
  const context = requestContextOf(req);
  const outgoing = outgoingOf(context, content);
  return send(req, res, context.validateResponse?.(outgoing) ?? outgoing);
}

/** Stands for the bytes of a file, and for items, which are not there to be validated. */
const UNREAD = Buffer.alloc(0);

function writeFile(
  req: Request,
  res: Response,
  { status, headers }: ResponseContent,
  file: FileBody,
): Promise<void> | undefined {
  const context = requestContextOf(req);
  const plan = planOf(context.match, status);
  const described = { ...headersOfFile(file, plan.types), ...headers };
  const outgoing = outgoingOf(context, { status, headers: described, body: UNREAD });
  const checked = context.validateResponse?.(outgoing) ?? outgoing;
  if (checked.body !== UNREAD) return send(req, res, checked);
  const form = formOf(plan, checked.head);
  if (!form) return respondInParts(req, res, checked, bytesOf(file));
  if (!isAsyncIterable(file)) throw notIterable();
  return respondWithStream(req, res, checked, { items: file, form });
}

/** How items are written; undefined if the Content-Type of `head` is not that of a stream. */
const formOf = ({ streams }: ResponsePlan, head: Outgoing['head']) =>
  streams?.[essenceOf(String(head['Content-Type']))];

const notIterable = () => new TypeError('the body of a stream must be an async iterable of its items');

function send(req: Request, res: Response, { status, head, body }: Outgoing): Promise<void> | undefined {
  if (body === undefined) {
    // RFC 9110 §8.6: a 304 has no content.
    if (status !== 204 && status !== 304) head['Content-Length'] = 0;
    // At once: a client's next change should reach the next group commit.
    res.writeHead(status, head).end();
  } else if (typeof body === 'string' || Buffer.isBuffer(body)) {
    head['Content-Length'] = Buffer.byteLength(body);
    requestContextOf(req).app.flushAtEndOfTick(res.writeHead(status, head), body);
  } else {
    return respondInBatches(req, res, { status, head, body });
  }
  return undefined;
}

/**
 * `content` with the media type that the request prefers, if the contract declares several and the handler names none,
 * also not by the type of a File.
 */
function withMediaType(req: Request, { match }: RequestContext, content: ResponseContent): ResponseContent {
  const { status, headers, body } = content;
  const plan = planOf(match, status);
  if (!plan.hasChoice || body === undefined || (headers && 'Content-Type' in headers)) return content;
  if (body instanceof Blob && body.type !== '') return content;
  const type = chooseType(req.headers.accept, typesFor(body, plan), body);
  if (type === undefined) return content;
  const written = typeof body === 'string' && isJson(type) ? JSON.stringify(body) : body;
  const sent = type === JSON_TYPE ? JSON_IN_UTF8 : type;
  return { ...content, headers: { ...headers, 'Content-Type': sent }, body: written };
}

/** The declared media types that `body` may have: those of streams for what is no whole. */
function typesFor(body: unknown, { types, streams }: ResponsePlan): readonly string[] {
  if (!streams) return types;
  const isStream = (type: string) => essenceOf(type) in streams;
  return types.some(isStream) && isAsyncIterable(body)
    ? types.filter(isStream)
    : types.filter((type) => !isStream(type));
}

function planOf(match: Match, status: number): ResponsePlan {
  return match.kind === 'operation' ? match.planOf(status) : JSON_PLAN;
}

export type Rejection = Pick<ApiError, 'code' | 'message' | 'status' | 'headers'> &
  Partial<Pick<ApiError, 'violations'>>;

export function respondWithError(req: Request, res: Response, error: Rejection): Promise<void> | undefined {
  const context = requestContextOf(req);
  context.errorCode = error.code;
  // What comes later says no more than its code, and in a flood of requests.
  if (error.status < 429) context.errorReason = error.message;
  return respond(req, res, errorToResponse(req, error));
}

export function errorToResponse(
  req: Request,
  { code, message, headers, violations = [], ...error }: Rejection,
): ResponseContent {
  const context = requestContextOf(req);
  const { match } = context;
  const operation = 'operation' in match ? match.operation : undefined;
  const status = operation ? statusFor(error.status, operation) : error.status;
  const operationId = 'operationId' in match ? match.operationId : undefined;
  const { body, type } = context.app.errorBodies.of(operationId, {
    code,
    message,
    status,
    requestId: context.requestId,
    path: uriPathOf(req.originalUrl),
    ...(violations.length > 0 && { violations }),
  });
  return { status, headers: Object.assign({ 'Content-Type': type }, headers), body };
}

/** The path of a target, with only the characters of a URI (RFC 3986 §3.3). */
function uriPathOf(target: string): string {
  const [path = ''] = target.split('?', 1);
  return path.replaceAll(/[^\w\-.~!$&'()*+,;=:@%/]|%(?![\da-f]{2})/gi, encodeURIComponent);
}

/** A response with the headers of every response to this request, and its body as text or bytes. */
export function outgoingOf(context: RequestContext, { status, headers, body }: ResponseContent): Outgoing {
  // Not a spread: V8 is slow to add properties to its result. Node.js writes numbers and booleans as text.
  const head = Object.assign({}, context.headers, headers) as Record<string, string | number>;
  const plan = planOf(context.match, status);
  writeJsonHeaders(head, plan.jsonHeaders);
  if (body === undefined) return { status, head, body };
  const isValue = plan.isValue && !('Content-Type' in head);
  head['Content-Type'] ??= plan.contentType;
  if (body !== UNREAD && formOf(plan, head)) throw notIterable();
  // HTML §7.1.5: no scripts, and an origin of its own.
  const isSandboxed = () => needsSandbox(String(head['Content-Type']), plan.types, typeof body === 'string');
  if (!isValue && context.match.kind === 'operation' && isSandboxed())
    head['Content-Security-Policy'] ??= 'sandbox';
  if (Buffer.isBuffer(body) || isInBatches(body)) return { status, head, body };
  if (body instanceof Uint8Array) return { status, head, body: Buffer.from(body) };
  // Text of a named media type is sent as it is.
  const isText = typeof body === 'string' && !isValue;
  return { status, head, body: isText ? body : JSON.stringify(body) };
}

function writeJsonHeaders(head: Record<string, unknown>, names: readonly string[]): void {
  for (const name of names) {
    // Not an inherited one, such as `constructor`.
    if (!Object.hasOwn(head, name) || head[name] === undefined) continue;
    head[name] = jsonInHeader(JSON.stringify(head[name]));
  }
}

function isInBatches(body: unknown): body is Batches {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
