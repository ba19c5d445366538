import type { RequestHandler } from 'express';
import { operationIdOf } from '../http/exchange.ts';
import { durations, refusals, requests } from '../metrics.ts';

/** Counts every request for `/metrics`. */
export function observe(): RequestHandler {
  return (req, res, next) => {
    res.once('close', () => {
      const { match, startedAt, caller, errorCode } = req.exchange;
      const operation = operationIdOf(req.exchange) ?? match.kind;
      requests.inc({ operation, status: res.statusCode });
      durations.observe({ operation }, (performance.now() - startedAt) / 1000);
      if (res.statusCode === 429) {
        refusals.inc({ code: errorCode ?? '', plan: caller?.kind === 'key' ? caller.key.plan : 'none' });
      }
    });
    next();
  };
}
