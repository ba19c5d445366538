import { trace as tracing, type Span } from '@opentelemetry/api';
import type { Contract } from '@kit/contract';
import type { RequestHandler } from 'express';
import type { ApiKeyFormat } from '../keys/api-key.ts';
import { contextOf } from './request-context.ts';

const TRACEPARENT = /^(?!ff)[\da-f]{2}-((?!0{32})[\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|-)/;

/**
 * Notes the trace of a request for the log (W3C Trace Context §3.2). A loaded tracer's span gets the contract's route,
 * and loses any API key in its path, and its query.
 */
export function trace({ basePath }: Contract): RequestHandler {
  return (req, _res, next) => {
    const context = contextOf(req);
    const sent = req.headers['traceparent'];
    const span = tracing.getActiveSpan();
    const traceId =
      span?.spanContext().traceId ?? (typeof sent === 'string' ? TRACEPARENT.exec(sent)?.[1] : undefined);
    if (traceId !== undefined) context.traceId = traceId;
    if (span && context.match.kind === 'operation') {
      const route = `${basePath}${context.match.operation.path}`;
      span.updateName(`${req.method} ${route}`).setAttribute('http.route', route);
    }
    if (span) hideSecrets(span, req.originalUrl, context.app.keyFormat);
    next();
  };
}

/** Replaces what may be secret in `target` in the attributes of the `node:http` span, as the access log does. */
function hideSecrets(span: Span, target: string, keyFormat: ApiKeyFormat): void {
  const [path = '', query] = target.split('?', 2);
  const hidden = keyFormat.redact(path);
  if (hidden !== path) span.setAttribute('url.path', hidden);
  if (query !== undefined) span.setAttribute('url.query', 'REDACTED');
}
