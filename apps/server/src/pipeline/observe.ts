import { operationIdOf } from '../http/exchange.ts';
import { durations, refusals, requests } from '../metrics.ts';
import type { Afterwards } from './begin.ts';

/** Counts every request for `/metrics`. */
export function observe(): Afterwards {
  return ({ exchange }, { statusCode }) => {
    const { match, startedAt, caller, errorCode } = exchange;
    const operation = operationIdOf(exchange) ?? match.kind;
    requests.inc({ operation, status: statusCode });
    durations.observe({ operation }, (performance.now() - startedAt) / 1000);
    if (statusCode === 429) {
      refusals.inc({ code: errorCode ?? '', plan: caller?.kind === 'key' ? caller.key.plan : 'none' });
    }
  };
}
