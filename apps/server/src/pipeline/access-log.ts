import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { exchangeOf, operationIdOf } from './exchange.ts';
import { withoutKeys } from '../keys/api-key.ts';

/**
 * One line per request, once its reply is sent or its connection is gone. Never the query: it may hold secrets. None for
 * `probes`, which come every few seconds, unless they fail.
 */
export function accessLog(log: Logger, probes: ReadonlySet<string>): RequestHandler {
  return (req, res, next) => {
    const isProbe = probes.has(req.url);
    res.once('close', () => {
      if (!log.isLevelEnabled('info') || (isProbe && res.statusCode === 200)) return;
      const exchange = exchangeOf(req);
      const { caller } = exchange;
      log.info(
        {
          requestId: exchange.requestId,
          traceId: exchange.traceId,
          method: req.method,
          path: withoutKeys(req.originalUrl.split('?', 1)[0] ?? '').slice(0, 200),
          operationId: operationIdOf(exchange),
          status: res.statusCode,
          code: exchange.errorCode,
          address: req.ip,
          keyId: caller?.kind === 'key' ? caller.key.id : undefined,
          durationMs: Math.round((performance.now() - exchange.startedAt) * 10) / 10,
          aborted: res.writableFinished ? undefined : true,
        },
        'request',
      );
    });
    next();
  };
}
