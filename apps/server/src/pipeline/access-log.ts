import type { Request, Response } from 'express';
import { symbols, type DestinationStream, type Logger } from 'pino';
import { exchangeOf, operationIdOf } from './exchange.ts';
import { withoutKeys } from '../keys/api-key.ts';

/**
 * Writes a line about a request that took so many milliseconds. Never the query: it may hold secrets. None for `probes`,
 * which come every few seconds, unless they fail.
 */
export function accessLog(
  log: Logger,
  probes: ReadonlySet<string>,
): (req: Request, res: Response, took: number) => void {
  // Written past pino, as pino would write it: to have it serialize an object costs as much as a fifth of a short list.
  const stream = (log as unknown as Record<symbol, DestinationStream>)[symbols.streamSym];
  if (!log.isLevelEnabled('info') || !stream) return () => undefined;
  return (req, res, took) => {
    if (res.statusCode !== 200 || !probes.has(req.originalUrl)) stream.write(lineOf(req, res, took));
  };
}

function lineOf(req: Request, res: Response, took: number): string {
  const exchange = exchangeOf(req);
  const { requestId, traceId, ip, caller, errorCode } = exchange;
  const query = req.originalUrl.indexOf('?');
  const path = query === -1 ? req.originalUrl : req.originalUrl.slice(0, query);
  // Only what a client has sent may need to be escaped.
  return (
    `{"level":30,"time":${Date.now()},"requestId":"${requestId}"${field('traceId', traceId)},"method":"${req.method}"` +
    `,"path":${JSON.stringify(withoutKeys(path).slice(0, 200))}${field('operationId', operationIdOf(exchange))}` +
    `,"status":${res.statusCode}${field('code', errorCode)}` +
    `${ip === undefined ? '' : `,"address":${JSON.stringify(ip)}`}` +
    `${field('keyId', caller?.kind === 'key' ? caller.key.id : undefined)}` +
    `,"durationMs":${Math.round(took * 10) / 10}` +
    `${res.writableFinished ? '' : ',"aborted":true'},"msg":"request"}\n`
  );
}

function field(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":"${value}"`;
}
