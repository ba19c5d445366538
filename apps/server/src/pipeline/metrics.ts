import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { operationIdOf } from '../http/exchange.ts';

const registry = new Registry();
collectDefaultMetrics({ register: registry });

const requests = new Counter({
  name: 'petstore_requests_total',
  help: 'Requests answered, by operation and status.',
  labelNames: ['operation', 'status'],
  registers: [registry],
});

const durations = new Histogram({
  name: 'petstore_request_duration_seconds',
  help: 'Time from the arrival of a request to the end of its answer.',
  labelNames: ['operation'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  registers: [registry],
});

const observe: RequestHandler = (req, res, next) => {
  res.once('close', () => {
    const operation = operationIdOf(req.exchange) ?? req.exchange.match.kind;
    requests.inc({ operation, status: res.statusCode });
    durations.observe({ operation }, (performance.now() - req.exchange.startedAt) / 1000);
  });
  next();
};

/** Counts every request; `/metrics` shows the counts. Labels are operations and statuses, never what clients send. */
export const metrics = { observe, registry };
