import type { Request, Response } from 'express';
import type { ApiError } from '../http/api-error.ts';
import { JsonText } from '../http/json-text.ts';
import { exchangeOf, type Exchange, type Outgoing } from './exchange.ts';
import { replyInBatches } from './reply-batches.ts';
import { replyWithBytes } from './reply-bytes.ts';

/** What a stage or a handler replies with. Only `reply` turns it into bytes. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  /** JSON, or its text; or text and bytes, with a Content-Type of their own. */
  readonly body?: unknown;
}

/** Writes the only reply to `req`. Resolves when it is handed to the socket, or the socket is gone. */
export function reply(req: Request, res: Response, content: Reply): void | Promise<void> {
  const exchange = exchangeOf(req);
  const outgoing = outgoingOf(exchange, content);
  const { status, head, body } = exchange.checkReply?.(outgoing) ?? outgoing;
  if (body === undefined) {
    if (status !== 204) head['Content-Length'] = 0;
    res.writeHead(status, head).end();
    return undefined;
  }
  return typeof body === 'string' || Buffer.isBuffer(body)
    ? replyWithBytes(req, res, status, head, body)
    : replyInBatches(req, res, status, head, body);
}

export function replyWithError(req: Request, res: Response, error: ApiError): void | Promise<void> {
  exchangeOf(req).errorCode = error.code;
  return reply(req, res, errorToReply(error));
}

export function errorToReply({ code, message, status, headers }: ApiError): Reply {
  return { status, headers, body: { code, message, status } };
}

/** A reply with the headers of every reply to this request, and its body as text or bytes. */
export function outgoingOf(exchange: Exchange, { status, headers, body }: Reply): Outgoing {
  const head: Outgoing['head'] = { ...exchange.headers, ...headers };
  if (body === undefined) return { status, head, body };
  head['Content-Type'] ??= 'application/json; charset=utf-8';
  if (body instanceof JsonText) return { status, head, body: body.content };
  const isText = typeof body === 'string' || Buffer.isBuffer(body);
  return { status, head, body: isText ? body : JSON.stringify(body) };
}
