import type { RequestHandler } from 'express';
import { accessLogLine } from './access-log.ts';
import { contextOf } from './request-context.ts';
import type { Metrics } from '../metrics.ts';
import { memoize } from '../memoize.ts';

/** nginx's status of a request whose client left before it had the whole response. */
const CLIENT_CLOSED_REQUEST = 499;

/** The label of a request without an operation. Dashboards and alerts may name it. */
const WITHOUT_OPERATION = { outside: 'page', options: 'options', rejected: 'refused' } as const;

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
      const { match, startedAt, caller, errorCode, stream } = context;
      // A stream ends when its client leaves.
      const left = stream ? res.statusCode : CLIENT_CLOSED_REQUEST;
      const status = res.writableFinished ? res.statusCode : (context.cutBy ?? left);
      const took = performance.now() - startedAt;
      const operation = match.kind === 'operation' ? match.operationId : WITHOUT_OPERATION[match.kind];
      countersOf(operation)(status).inc();
      durationsOf(operation).observe((stream ? stream.headAt - startedAt : took) / 1000);
      if (status === 429) {
        refusals.inc({ code: errorCode ?? '', plan: caller?.kind === 'key' ? caller.key.plan : 'none' });
      }
      // Successful probes come every few seconds.
      if (status !== 200 || !probes.has(req.originalUrl)) writeLine(accessLogLine(req, status, took));
    };
    res.on('close', () => {
      // `errors` says why a response was cut off, but only after it was.
      if (res.writableFinished) note();
      else setImmediate(note);
    });
    next();
  };
}
