import type { Request, RequestHandler } from 'express';
import { accessLogLine } from './access-log.ts';
import { requestContextOf, operationIdOf } from './request-context.ts';
import type { Metrics } from '../metrics.ts';
import { memoize } from '../memoize.ts';

/** nginx's status of a request whose client left before it had the whole response. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * A response begins before this, in milliseconds: nginx closes the connection soon after, and the service after 14 seconds.
 */
const LATE = 6_000;

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
      const context = requestContextOf(req);
      const { match, startedAt, caller, errorCode, stream } = context;
      // A stream ends when its client leaves.
      const left = stream ? res.statusCode : CLIENT_CLOSED_REQUEST;
      const status = context.cutBy ?? (res.writableFinished ? res.statusCode : left);
      const took = performance.now() - startedAt;
      const operation = match.kind === 'operation' ? match.operationId : WITHOUT_OPERATION[match.kind];
      countersOf(operation)(status).inc();
      durationsOf(operation).observe((stream ? stream.headAt - startedAt : took) / 1000);
      if (status === 429) {
        refusals.inc({ code: errorCode ?? '', plan: caller?.kind === 'key' ? caller.key.plan : 'none' });
      }
      // Successful probes come every few seconds.
      if (status !== 200 || !probes.has(req.originalUrl)) writeLine(accessLogLine(req, status, took));
      // The client has not left by its own choice, or would have had to wait longer.
      if (!res.headersSent && req.complete && took > LATE) noteLate(req, took);
    };
    res.on('close', () => {
      // `errors` says why a response was cut off, but only after it was.
      if (res.writableFinished) note();
      else setImmediate(note);
    });
    next();
  };
}

/** Logs which handler or route has not responded. */
function noteLate(req: Request, took: number): void {
  const context = requestContextOf(req);
  const { app, requestId } = context;
  const { path } = (req.route ?? {}) as { readonly path?: unknown };
  // Otherwise it is an expression, or a list.
  const route = typeof path === 'string' ? { route: path } : {};
  const seconds = Math.round(took / 1000);
  app.log.warn(
    { requestId, operationId: operationIdOf(context), method: req.method, ...route },
    `no response in ${seconds} s, then the connection was closed`,
  );
}
