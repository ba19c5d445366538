import { exampleHeader } from '@kit/contract/pipeline-headers';
import type { Request, Response } from 'express';
import { contextOf, operationIdOf } from './request-context.ts';

const MAX_PATH_LENGTH = 200;

/**
 * Logs a request with its duration in milliseconds. Never the query, which may hold secrets. Successful `probes`, which
 * come every few seconds, are not logged.
 */
export function accessLog(
  writeLine: (line: string) => void,
  probes: ReadonlySet<string>,
): (req: Request, res: Response, took: number) => void {
  return (req, res, took) => {
    if (res.statusCode !== 200 || !probes.has(req.originalUrl)) writeLine(lineOf(req, res, took));
  };
}

/** In pino's format; pino would serialize each field. */
function lineOf(req: Request, res: Response, took: number): string {
  const context = contextOf(req);
  const { requestId, traceId, ip, caller, errorCode, app, headers } = context;
  const [path = ''] = req.originalUrl.split('?', 1);
  // Only a client's text may need escaping.
  return (
    `{"level":30,"time":${Date.now()},"requestId":"${requestId}"${field('traceId', traceId)}` +
    `,"method":"${req.method}","path":${JSON.stringify(app.keyFormat.redact(path).slice(0, MAX_PATH_LENGTH))}` +
    `${field('operationId', operationIdOf(context))},"status":${res.statusCode}${field('code', errorCode)}` +
    `${ip === undefined ? '' : `,"address":${JSON.stringify(ip)}`}` +
    `${field('keyId', caller?.kind === 'key' ? caller.key.id : undefined)}` +
    `${exampleHeader in headers ? ',"example":true' : ''}` +
    `,"durationMs":${Math.round(took * 10) / 10}` +
    `${res.writableFinished ? '' : ',"aborted":true'},"msg":"request"}\n`
  );
}

function field(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":"${value}"`;
}
