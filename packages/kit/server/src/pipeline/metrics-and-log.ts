import type { RequestHandler } from 'express';
import { accessLog } from './access-log.ts';
import { exchangeOf, operationIdOf } from './exchange.ts';
import { durations, refusals, requests } from '../metrics.ts';
import { remembering } from '../remembering.ts';

/** Counts every request for `/metrics` and logs it, once its reply is sent or its connection is gone. */
export function observe(writeLine: (line: string) => void, probes: ReadonlySet<string>): RequestHandler {
  // Labels are looked up once: there are few, operations times statuses.
  const countersOf = remembering((operation: string) =>
    remembering((status: number) => requests.labels(operation, String(status))),
  );
  const durationsOf = remembering((operation: string) => durations.labels(operation));
  const logged = accessLog(writeLine, probes);

  return (req, res, next) => {
    res.on('close', () => {
      const { statusCode } = res;
      const exchange = exchangeOf(req);
      const { match, startedAt, caller, errorCode } = exchange;
      const took = performance.now() - startedAt;
      const operation = operationIdOf(exchange) ?? (match.kind === 'outside' ? 'page' : match.kind);
      countersOf(operation)(statusCode).inc();
      durationsOf(operation).observe(took / 1000);
      if (statusCode === 429) {
        refusals.inc({ code: errorCode ?? '', plan: caller?.kind === 'key' ? caller.key.plan : 'none' });
      }
      logged(req, res, took);
    });
    next();
  };
}
