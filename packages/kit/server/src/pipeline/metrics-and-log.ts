import type { RequestHandler } from 'express';
import { lineOf } from './access-log.ts';
import { contextOf, operationIdOf } from './request-context.ts';
import type { Metrics } from '../metrics.ts';
import { memoize } from '../memoize.ts';

/** nginx's status of a request whose client left before it had the whole response. */
const CLIENT_CLOSED_REQUEST = 499;

/** Counts and logs every request after its response is sent or its connection has closed. */
export function metricsAndLog(
  { requests, durations, refusals }: Metrics,
  writeLine: (line: string) => void,
  probes: ReadonlySet<string>,
): RequestHandler {
  // Caches the labels: there are few, operations times statuses.
  const countersOf = memoize((operation: string) =>
    memoize((status: number) => requests.labels(operation, String(status))),
  );
  const durationsOf = memoize((operation: string) => durations.labels(operation));

  return (req, res, next) => {
    const note = () => {
      const context = contextOf(req);
      const status = res.writableFinished ? res.statusCode : (context.cutBy ?? CLIENT_CLOSED_REQUEST);
      const { match, startedAt, caller, errorCode } = context;
      const took = performance.now() - startedAt;
      const operation = operationIdOf(context) ?? (match.kind === 'outside' ? 'page' : match.kind);
      countersOf(operation)(status).inc();
      durationsOf(operation).observe(took / 1000);
      if (status === 429) {
        refusals.inc({ code: errorCode ?? '', plan: caller?.kind === 'key' ? caller.key.plan : 'none' });
      }
      // Successful probes come every few seconds.
      if (status !== 200 || !probes.has(req.originalUrl)) writeLine(lineOf(req, status, took));
    };
    res.on('close', () => {
      // `errors` says why a response was cut off, but only after it was.
      if (res.writableFinished) note();
      else setImmediate(note);
    });
    next();
  };
}
