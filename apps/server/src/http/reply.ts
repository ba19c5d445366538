import type { Request, Response } from 'express';
import type { ApiError } from './api-error.ts';
import { acceptsGzip, gzipped, isWorthCompressing } from './compression.ts';
import { JsonText } from './json-text.ts';
import { replyWithPages, type Page } from './reply-pages.ts';

/** What a stage or a handler answers with. Only `reply` turns it into bytes. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  /** JSON, or its text; pages of a JSON array; or text and bytes, with a Content-Type of their own. */
  readonly body?: unknown;
}

export type Head = Record<string, string | number>;

/** Writes the only answer to `req`. Resolves when it is handed to the socket, or the socket is gone. */
export function reply(req: Request, res: Response, { status, headers, body }: Reply): void | Promise<void> {
  const head: Head = { ...req.exchange.headers, ...headers };
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
  req.exchange.errorCode = code;
  return reply(req, res, { status, headers: error.headers, body: { code, message, status } });
}

/** Writes a body that is whole, compressed where that is worth it and the client takes it so. */
export function replyWithBytes(
  req: Request,
  res: Response,
  status: number,
  head: Head,
  bytes: string | Buffer,
): void | Promise<void> {
  const send = (body: string | Buffer) => {
    head['Content-Length'] = Buffer.byteLength(body);
    res.writeHead(status, head).end(body);
  };
  return isWorthCompressing(bytes, head) && acceptsGzip(req, res, head)
    ? gzipped(bytes).then(send)
    : send(bytes);
}

function isPages(body: unknown): body is AsyncIterable<Page> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
