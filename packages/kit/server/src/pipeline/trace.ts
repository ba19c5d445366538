import { trace as tracing, type AttributeValue, type Span } from '@opentelemetry/api';
import type { IncomingMessage } from 'node:http';
import type { Contract } from '@contract-kit/core';
import type { RequestHandler } from 'express';
import type { ApiKeyFormat } from '../keys/api-key.ts';
import { requestContextOf } from './request-context.ts';

const TRACEPARENT = /^(?!ff)[\da-f]{2}-((?!0{32})[\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:$|-)/;
const REDACTED = 'REDACTED';
/** The attributes with a query, in the present and the former semantic conventions of OpenTelemetry. */
const QUERY = 'url.query';
const TARGETS: ReadonlySet<string> = new Set(['url.full', 'http.target', 'http.url']);

const serverSpans = new WeakMap<IncomingMessage, Span>();

/**
 * Remembers the span that a loaded tracer made for `req`, and removes API keys and the query from its attributes. Call it
 * before Express, whose instrumentations make other spans the active one.
 */
export function openServerSpan(req: IncomingMessage, keyFormat: ApiKeyFormat): void {
  const span = tracing.getActiveSpan();
  if (!span) return;
  serverSpans.set(req, span);
  // The API has no way to read attributes; the span of OpenTelemetry's SDK has this one.
  const { attributes = {} } = span as { attributes?: Record<string, AttributeValue | undefined> };
  for (const [name, value] of Object.entries(attributes)) {
    const hidden = hideSecrets(name, value, keyFormat);
    if (hidden !== undefined) span.setAttribute(name, hidden);
  }
}

/** `value` without secrets; undefined if it has none. Clients choose some values, such as that of `user_agent.original`. */
function hideSecrets(
  name: string,
  value: AttributeValue | undefined,
  keyFormat: ApiKeyFormat,
): string | string[] | undefined {
  if (name === QUERY) return REDACTED;
  const hide = (text: string) => {
    const [shown = text, query] = TARGETS.has(name) ? text.split('?', 2) : [];
    return keyFormat.redact(shown) + (query === undefined ? '' : `?${REDACTED}`);
  };
  if (typeof value === 'string') return hide(value) === value ? undefined : hide(value);
  // Captured headers are lists.
  return Array.isArray(value) ? value.map((item) => hide(String(item))) : undefined;
}

/** Notes the trace of a request for the log (W3C Trace Context §3.2), and names its span after the contract's route. */
export function trace({ basePath }: Contract): RequestHandler {
  return (req, _res, next) => {
    const context = requestContextOf(req);
    const sent = req.headers['traceparent'];
    const span = serverSpans.get(req);
    const traceId =
      span?.spanContext().traceId ?? (typeof sent === 'string' ? TRACEPARENT.exec(sent)?.[1] : undefined);
    if (traceId !== undefined) context.traceId = traceId;
    if (span && context.match.kind === 'operation') {
      const route = `${basePath}${context.match.operation.path}`;
      span.updateName(`${req.method} ${route}`).setAttribute('http.route', route);
    }
    next();
  };
}
