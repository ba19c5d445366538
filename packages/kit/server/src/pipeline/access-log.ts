import { exampleHeader } from '@kit/contract/pipeline-headers';
import type { Request } from 'express';
import { contextOf, operationIdOf } from './request-context.ts';

const MAX_PATH_LENGTH = 200;

/**
 * The access log's line of a request that took so many milliseconds. Never the query, which may hold secrets. In pino's
 * format; pino would serialize each field.
 */
export function lineOf(req: Request, status: number, took: number): string {
  const context = contextOf(req);
  const { requestId, traceId, ip, caller, errorCode, app, headers } = context;
  const [path = ''] = req.originalUrl.split('?', 1);
  // Only a client's text may need escaping.
  return (
    `{"level":30,"time":${Date.now()},"requestId":"${requestId}"${field('traceId', traceId)}` +
    `,"method":"${req.method}","path":${JSON.stringify(app.keyFormat.redact(path).slice(0, MAX_PATH_LENGTH))}` +
    `${field('operationId', operationIdOf(context))},"status":${status}${field('code', errorCode)}` +
    `${ip === undefined ? '' : `,"address":${JSON.stringify(ip)}`}` +
    `${field('keyId', caller?.kind === 'key' ? caller.key.id : undefined)}` +
    `${exampleHeader in headers ? ',"example":true' : ''}` +
    `,"durationMs":${Math.round(took * 10) / 10},"msg":"request"}\n`
  );
}

function field(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":"${value}"`;
}
