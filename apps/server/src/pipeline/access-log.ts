import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { exchangeOf, operationIdOf } from './exchange.ts';
import { withoutKeys } from '../keys/api-key.ts';

const MAX_PATH_LENGTH = 200;

/**
 * Writes a line about a request that took so many milliseconds. Never the query: it may hold secrets. None for `probes`,
 * which come every few seconds, unless they fail.
 */
export function accessLog(
  log: Logger,
  probes: ReadonlySet<string>,
): (req: Request, res: Response, took: number) => void {
  return (req, res, took) => {
    const { originalUrl: target, method } = req;
    if (res.statusCode === 200 && probes.has(target)) return;
    const exchange = exchangeOf(req);
    const { requestId, traceId, ip, caller, errorCode } = exchange;
    const [path = ''] = target.split('?', 1);
    log.info(
      {
        requestId,
        traceId,
        method,
        path: withoutKeys(path).slice(0, MAX_PATH_LENGTH),
        operationId: operationIdOf(exchange),
        status: res.statusCode,
        code: errorCode,
        address: ip,
        keyId: caller?.kind === 'key' ? caller.key.id : undefined,
        durationMs: Math.round(took * 10) / 10,
        aborted: res.writableFinished ? undefined : true,
      },
      'request',
    );
  };
}
