import { entryOf, isJson, isText } from '@kit/contract/media-type';
import type { Request, Response } from 'express';
import type { ApiError } from '../http/api-error.ts';
import { chooseType } from '../http/choose-type.ts';
import { JSON_IN_UTF8, JSON_TYPE } from '../http/headers.ts';
import { List } from '../http/list.ts';
import { contextOf, type RequestContext, type Outgoing } from './request-context.ts';
import { respondInBatches } from './respond-in-batches.ts';

/** The response of a stage or a handler. Only `respond` turns it into bytes. */
export interface ResponseContent {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number | boolean>>;
  /** A JSON value or a List; text or bytes if the contract says so, or with a Content-Type header. */
  readonly body?: unknown;
}

/** Writes the only response to `req`. Resolves just before the socket gets it, or when the socket has closed. */
export function respond(req: Request, res: Response, content: ResponseContent): Promise<void> | undefined {
  const context = contextOf(req);
  const chosen = withMediaType(req, context, content);
  const { body } = chosen;
  return body instanceof List
    ? body.read().then((array) => write(req, res, { ...chosen, body: array }))
    : write(req, res, chosen);
}

function write(req: Request, res: Response, content: ResponseContent): Promise<void> | undefined {
  const context = contextOf(req);
  const outgoing = outgoingOf(context, content);
  const { status, head, body } = context.validateResponse?.(outgoing) ?? outgoing;
  if (body === undefined) {
    // RFC 9110 §8.6: a 304 has no content.
    if (status !== 204 && status !== 304) head['Content-Length'] = 0;
    // At once: a client's next change should reach the next group commit.
    res.writeHead(status, head).end();
  } else if (typeof body === 'string' || Buffer.isBuffer(body)) {
    head['Content-Length'] = Buffer.byteLength(body);
    context.app.flushAtEndOfTick(res.writeHead(status, head), body);
  } else {
    return respondInBatches(req, res, { status, head, body });
  }
  return undefined;
}

/** `content` with the media type that the request prefers, if the contract declares several and the handler names none. */
function withMediaType(req: Request, { match }: RequestContext, content: ResponseContent): ResponseContent {
  const { status, headers, body } = content;
  const others = match.kind === 'operation' ? match.operation.otherTypes : undefined;
  const declared = others && entryOf(others, status);
  if (!declared || body === undefined || match.kind !== 'operation' || (headers && 'Content-Type' in headers))
    return content;
  const { responseTypes, jsonTypes = {} } = match.operation;
  const first = entryOf(responseTypes, status) ?? '';
  const preferred = first.includes('/') ? first : (entryOf(jsonTypes, status) ?? JSON_TYPE);
  const type = chooseType(req.headers.accept, [preferred, ...declared], body);
  if (type === undefined) return content;
  const written = typeof body === 'string' && isJson(type) ? JSON.stringify(body) : body;
  const sent = type === JSON_TYPE ? JSON_IN_UTF8 : type;
  return { ...content, headers: { ...headers, 'Content-Type': sent }, body: written };
}

type Refusal = Pick<ApiError, 'code' | 'message' | 'status' | 'headers'> &
  Partial<Pick<ApiError, 'violations'>>;

export function respondWithError(req: Request, res: Response, error: Refusal): Promise<void> | undefined {
  const context = contextOf(req);
  context.errorCode = error.code;
  return respond(req, res, errorToResponse(context, error));
}

export function errorToResponse(
  context: RequestContext,
  { code, message, status, headers, violations = [] }: Refusal,
): ResponseContent {
  const { match } = context;
  const operationId = 'operationId' in match ? match.operationId : undefined;
  const { body, type } = context.app.errorBodies.of(operationId, {
    code,
    message,
    status,
    ...(violations.length > 0 && { violations }),
  });
  return { status, headers: Object.assign({ 'Content-Type': type }, headers), body };
}

/** A response with the headers of every response to this request, and its body as text or bytes. */
export function outgoingOf(context: RequestContext, { status, headers, body }: ResponseContent): Outgoing {
  // Not a spread: V8 is slow to add properties to its result. Node.js writes numbers and booleans as text.
  const head = Object.assign({}, context.headers, headers) as Record<string, string | number>;
  if (body === undefined) return { status, head, body };
  const type = contentTypeOf(context, status);
  const isValue = type === undefined && !('Content-Type' in head);
  head['Content-Type'] ??= type ?? jsonTypeOf(context, status);
  if (Buffer.isBuffer(body) || isInBatches(body)) return { status, head, body };
  if (body instanceof Uint8Array) return { status, head, body: Buffer.from(body) };
  // Text of a named media type is sent as it is.
  const isText = typeof body === 'string' && !isValue;
  return { status, head, body: isText ? body : JSON.stringify(body) };
}

function isInBatches(body: unknown): body is AsyncIterable<string> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** The Content-Type of a response that is not JSON. */
function contentTypeOf({ match }: RequestContext, status: number): string | undefined {
  if (match.kind !== 'operation') return undefined;
  const { method, responseTypes, jsonTypes = {} } = match.operation;
  // The client reads no body of HEAD.
  const body = entryOf(status < 400 && method !== 'HEAD' ? responseTypes : jsonTypes, status);
  if (!body?.includes('/') || isJson(body)) return undefined;
  return isText(body) && !body.includes(';') ? `${body}; charset=utf-8` : body;
}

function jsonTypeOf({ match }: RequestContext, status: number): string {
  const types = match.kind === 'operation' ? match.operation.jsonTypes : undefined;
  return (types && entryOf(types, status)) ?? JSON_IN_UTF8;
}
