import { context, createContextKey, trace as tracing } from '@opentelemetry/api';
import { basePath, operations } from '@petstore/contract';
import type { RequestHandler } from 'express';
import { exchangeOf, operationIdOf } from './exchange.ts';

/** Where OpenTelemetry's instrumentation of `node:http` reads the route, for the span's name and for its metrics. */
const RPC_METADATA = createContextKey('OpenTelemetry SDK Context Key RPC_METADATA');

const TRACEPARENT = /^(?!ff)[\da-f]{2}-((?!0{32})[\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|-)/;

/**
 * Follows a request across services: notes the trace that it belongs to for the log (W3C Trace Context §3.2), and
 * tells a tracer, where one is loaded, the route as the contract writes it.
 */
export function trace(): RequestHandler {
  return (req, _res, next) => {
    const exchange = exchangeOf(req);
    const sent = req.headers['traceparent'];
    const active = context.active();
    const traceId =
      tracing.getSpan(active)?.spanContext().traceId ??
      (typeof sent === 'string' ? TRACEPARENT.exec(sent)?.[1] : undefined);
    if (traceId !== undefined) exchange.traceId = traceId;
    const operationId = operationIdOf(exchange);
    const metadata = active.getValue(RPC_METADATA) as { route?: string } | undefined;
    if (operationId && metadata) metadata.route = `${basePath}${operations[operationId].path}`;
    next();
  };
}
