import type { RequestHandler } from 'express';
import { exchangeOf, operationIdOf } from './exchange.ts';
import { durations, refusals, requests } from '../metrics.ts';

/** Counts every request for `/metrics`, once its reply is sent or its connection is gone. */
export function observe(): RequestHandler {
  // Looking up the counter of some labels costs more than counting, and there are few: operations times statuses.
  const countersOf = remembering((operation: string) =>
    remembering((status: number) => requests.labels(operation, String(status))),
  );
  const durationsOf = remembering((operation: string) => durations.labels(operation));

  return (req, res, next) => {
    res.on('close', () => {
      const { statusCode } = res;
      const exchange = exchangeOf(req);
      const { match, startedAt, caller, errorCode } = exchange;
      const operation = operationIdOf(exchange) ?? (match.kind === 'outside' ? 'page' : match.kind);
      countersOf(operation)(statusCode).inc();
      durationsOf(operation).observe((performance.now() - startedAt) / 1000);
      if (statusCode === 429) {
        refusals.inc({ code: errorCode ?? '', plan: caller?.kind === 'key' ? caller.key.plan : 'none' });
      }
    });
    next();
  };
}

function remembering<Name, Value>(make: (name: Name) => Value): (name: Name) => Value {
  const made = new Map<Name, Value>();
  return (name) => {
    const value = made.get(name) ?? make(name);
    made.set(name, value);
    return value;
  };
}
