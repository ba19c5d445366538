import { exampleHeader } from '../http/headers.ts';
import type { Request } from 'express';
import { requestContextOf, operationIdOf, type RequestContext } from './request-context.ts';

const MAX_TEXT_LENGTH = 200;

/**
 * The access log's line of a request that took so many milliseconds. Never the query, which may hold secrets. In pino's
 * format; pino would serialize each field.
 */
export function accessLogLine(req: Request, status: number, took: number): string {
  const context = requestContextOf(req);
  const { requestId, traceId, ip, caller, errorCode, errorReason, headers, stream } = context;
  const [path = ''] = req.originalUrl.split('?', 1);
  // Only a client's text may need escaping.
  return (
    `{"level":30,"time":${Date.now()},"requestId":"${requestId}"${field('traceId', traceId)}` +
    `,"method":"${req.method}","path":${quoted(context, path)}` +
    `${field('operationId', operationIdOf(context))},"status":${status}${field('code', errorCode)}` +
    `${errorReason === undefined ? '' : `,"reason":${quoted(context, errorReason)}`}` +
    `${ip === undefined ? '' : `,"address":${JSON.stringify(ip)}`}` +
    `${field('keyId', caller?.kind === 'key' ? caller.key.id : undefined)}` +
    `${exampleHeader in headers ? ',"example":true' : ''}` +
    `${stream === undefined ? '' : `,"items":${stream.items}`}` +
    `,"durationMs":${Math.round(took * 10) / 10},"msg":"request"}\n`
  );
}

/** A client's text, without keys. */
function quoted({ app }: RequestContext, text: string): string {
  return JSON.stringify(app.keyFormat.redact(text).slice(0, MAX_TEXT_LENGTH));
}

function field(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":"${value}"`;
}
