import { trace as tracing, type Span } from '@opentelemetry/api';
import { basePath, operations } from '@petstore/contract';
import type { RequestHandler } from 'express';
import { withoutKeys } from '../keys/api-key.ts';
import { exchangeOf, operationIdOf } from './exchange.ts';

const TRACEPARENT = /^(?!ff)[\da-f]{2}-((?!0{32})[\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|-)/;

/**
 * Follows a request across services: notes the trace that it belongs to for the log (W3C Trace Context §3.2). If a
 * tracer is loaded, its span gets the route as the contract writes it, and loses any API key in the path or query.
 */
export function trace(): RequestHandler {
  return (req, _res, next) => {
    const exchange = exchangeOf(req);
    const sent = req.headers['traceparent'];
    const span = tracing.getActiveSpan();
    const traceId =
      span?.spanContext().traceId ?? (typeof sent === 'string' ? TRACEPARENT.exec(sent)?.[1] : undefined);
    if (traceId !== undefined) exchange.traceId = traceId;
    const operationId = operationIdOf(exchange);
    if (span && operationId) {
      const route = `${basePath}${operations[operationId].path}`;
      span.updateName(`${req.method} ${route}`).setAttribute('http.route', route);
    }
    if (span) hideKeys(span, req.originalUrl);
    next();
  };
}

/** Replaces what the tracer of `node:http` has noted of a `target` with an API key in it. */
function hideKeys(span: Span, target: string): void {
  const hidden = withoutKeys(target);
  if (hidden === target) return;
  const [path = '', query] = hidden.split('?', 2);
  span.setAttribute('url.path', path);
  if (query !== undefined) span.setAttribute('url.query', query);
}
