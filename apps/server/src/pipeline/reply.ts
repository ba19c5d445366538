import type { Request, Response } from 'express';
import type { ApiError } from '../http/api-error.ts';
import type { Head } from '../http/compression.ts';
import { JsonText, type Page } from '../http/json-text.ts';
import { exchangeOf } from './exchange.ts';
import { replyWithBytes } from './reply-bytes.ts';
import { replyWithPages } from './reply-pages.ts';

/** What a stage or a handler answers with. Only `reply` turns it into bytes. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  /** JSON, or its text; pages of a JSON array; or text and bytes, with a Content-Type of their own. */
  readonly body?: unknown;
}

/** Writes the only answer to `req`. Resolves when it is handed to the socket, or the socket is gone. */
export function reply(req: Request, res: Response, { status, headers, body }: Reply): void | Promise<void> {
  const head: Head = { ...exchangeOf(req).headers, ...headers };
  if (body === undefined) {
    if (status !== 204) head['Content-Length'] = 0;
    res.writeHead(status, head).end();
    return undefined;
  }
  const content = body instanceof JsonText ? body.content : body;
  head['Content-Type'] ??= 'application/json; charset=utf-8';
  if (isPages(content)) return replyWithPages(req, res, status, head, content);
  const bytes = typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content);
  return replyWithBytes(req, res, status, head, bytes);
}

export function replyWithError(req: Request, res: Response, error: ApiError): void | Promise<void> {
  const { code, message, status } = error;
  exchangeOf(req).errorCode = code;
  return reply(req, res, { status, headers: error.headers, body: { code, message, status } });
}

function isPages(body: unknown): body is AsyncIterable<Page> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
