import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Request, Response } from 'express';
import type { ApiError } from './api-error.ts';

/** What a stage or a handler answers with. Only `reply` turns it into bytes. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number>>;
  /** JSON; pages of a JSON array; or text and bytes, with a Content-Type of their own. */
  readonly body?: unknown;
}

/** Writes the only answer to `req`. Resolves when it is handed to the socket, or the socket is gone. */
export async function reply(req: Request, res: Response, { status, headers, body }: Reply): Promise<void> {
  const head: Record<string, string | number> = { ...req.exchange.headers, ...headers };
  if (body === undefined) {
    if (status !== 204) head['Content-Length'] = 0;
    res.writeHead(status, head).end();
    return;
  }
  if (isPages(body)) {
    await replyWithPages(req, res, status, head, body);
    return;
  }
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  head['Content-Type'] ??= 'application/json; charset=utf-8';
  head['Content-Length'] = Buffer.byteLength(bytes);
  res.writeHead(status, head).end(bytes);
}

export function replyWithError(req: Request, res: Response, error: ApiError): Promise<void> {
  const { code, message, status } = error;
  req.exchange.errorCode = code;
  return reply(req, res, { status, headers: error.headers, body: { code, message, status } });
}

/**
 * Writes an array that arrives in pages. One page goes out whole, with its length; more are streamed as fast as the
 * reader takes them, so that memory does not grow with the list.
 */
async function replyWithPages(
  req: Request,
  res: Response,
  status: number,
  head: Record<string, string | number>,
  pages: AsyncIterable<readonly unknown[]>,
): Promise<void> {
  const iterator = pages[Symbol.asyncIterator]();
  try {
    const first = await iterator.next();
    const second = first.done ? first : await iterator.next();
    if (second.done) {
      await reply(req, res, { status, headers: head, body: first.done ? [] : first.value });
      return;
    }
    res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', ...head });
    if (req.method === 'HEAD' || req.exchange.headOnly) {
      res.end();
      return;
    }
    let separator = '[';
    for (let page = first; !page.done; page = page === first ? second : await iterator.next()) {
      if (req.exchange.checkElements?.(page.value) === false) {
        res.destroy();
        return;
      }
      const elements = JSON.stringify(page.value).slice(1, -1);
      if (!(await write(res, separator + elements))) return;
      separator = ',';
      await nextTurn();
    }
    res.end(']');
  } finally {
    await iterator.return?.();
  }
}

/** Resolves to false once there is nobody left to write to. */
async function write(res: Response, chunk: string): Promise<boolean> {
  if (res.destroyed || res.write(chunk)) return !res.destroyed;
  const waiting = new AbortController();
  await Promise.race([
    once(res, 'drain', { signal: waiting.signal }),
    once(res, 'close', { signal: waiting.signal }),
  ]).finally(() => waiting.abort());
  return !res.destroyed;
}

function isPages(body: unknown): body is AsyncIterable<readonly unknown[]> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
