import type { Request, RequestHandler, Response } from 'express';
import { symbols, type DestinationStream, type Logger } from 'pino';
import { exchangeOf, operationIdOf } from './exchange.ts';
import { withoutKeys } from '../keys/api-key.ts';

/**
 * One line per request, once its reply is sent or its connection is gone. Never the query: it may hold secrets. None for
 * `probes`, which come every few seconds, unless they fail.
 */
export function accessLog(log: Logger, probes: ReadonlySet<string>): RequestHandler {
  const isEnabled = log.isLevelEnabled('info');
  // Written past pino, as pino would write it: to have it serialize an object costs as much as a fifth of a short list.
  const stream = (log as unknown as Record<symbol, DestinationStream>)[symbols.streamSym];
  return (req, res, next) => {
    const isProbe = probes.has(req.url);
    if (isEnabled) {
      res.on('close', () => {
        if (!isProbe || res.statusCode !== 200) stream?.write(lineOf(req, res));
      });
    }
    next();
  };
}

function lineOf(req: Request, res: Response): string {
  const exchange = exchangeOf(req);
  const { requestId, traceId, caller, errorCode, startedAt } = exchange;
  const query = req.originalUrl.indexOf('?');
  const path = query === -1 ? req.originalUrl : req.originalUrl.slice(0, query);
  return (
    `{"level":30,"time":${Date.now()},"requestId":"${requestId}"${field('traceId', traceId)},"method":"${req.method}"` +
    `${field('path', withoutKeys(path).slice(0, 200))}${field('operationId', operationIdOf(exchange))}` +
    `,"status":${res.statusCode}${field('code', errorCode)}${field('address', req.ip)}` +
    `${field('keyId', caller?.kind === 'key' ? caller.key.id : undefined)}` +
    `,"durationMs":${Math.round((performance.now() - startedAt) * 10) / 10}` +
    `${res.writableFinished ? '' : ',"aborted":true'},"msg":"request"}\n`
  );
}

function field(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":${JSON.stringify(value)}`;
}
