import { WELL_FORMED_REQUEST_ID } from '../http/headers.ts';
import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { addressIn } from '../http/address.ts';
import { setContext, type AppState } from './request-context.ts';

export function commonHeaders(requestId: string): Record<string, string> {
  return { 'X-Request-Id': requestId, 'X-Content-Type-Options': 'nosniff' };
}

/** Opens the context with the request's id, its arrival time and the common headers. */
export function openContext(app: AppState): RequestHandler {
  return (req, _res, next) => {
    const sent = req.headers['x-request-id'];
    const isHarmless =
      typeof sent === 'string' && WELL_FORMED_REQUEST_ID.test(sent) && app.keyFormat.redact(sent) === sent;
    const requestId = isHarmless ? sent : randomUUID();
    setContext(req, {
      app,
      requestId,
      // The same as Express's, which lists all proxies first.
      ip: req.headers['x-forwarded-for'] === undefined ? req.socket.remoteAddress : addressIn(req.ip),
      startedAt: performance.now(),
      headers: commonHeaders(requestId),
      match: { kind: 'outside' },
    });
    next();
  };
}
