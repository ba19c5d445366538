import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import type { Contract } from '@kit/contract';
import { JSON_LIMIT } from '@kit/contract/media-type';
import { ApiError, pipelineError } from '../http/api-error.ts';
import { contextOf } from './request-context.ts';

/** How long a body may take, in milliseconds, on top of its bytes at the slowest rate. */
const BODY_TIME = 12_000;
/** Bytes in a millisecond: 400 kbit/s. */
const SLOWEST_RATE = 50;
/** The overhead of a chunk, which bounds many small ones. */
const CHUNK_BYTES = 100;

/** The event of a request whose rest will never arrive. */
const BROKEN = 'broken';
/** A request, and why its rest will never arrive. */
type Arriving = IncomingMessage & { brokenBy?: ApiError };

/** Waits for the whole request: an incomplete or wrongly framed one is rejected at once (RFC 9112 §8). */
export function waitForBody(): RequestHandler {
  return (req, _res, next) => {
    const context = contextOf(req);
    const { match, caller } = context;
    const isRead = match.kind === 'operation' && match.operation.body !== undefined;
    // A large body is skipped for callers that `requireSecurity` will reject.
    if (
      match.kind === 'operation' &&
      match.operation.bodyLimit &&
      caller?.kind === 'address' &&
      !match.operation.anonymous
    ) {
      context.headers['Connection'] = 'close';
      next();
      return undefined;
    }
    if (!announcesBody(req) || (req.complete && !isRead)) {
      next();
      return undefined;
    }
    const limit = (match.kind === 'operation' && match.operation.bodyLimit) || JSON_LIMIT;
    return receive(req, limit, isRead ? 'payload_too_large' : 'invalid_request').then((received) => {
      if (received instanceof ApiError) {
        // Without an operation, because operations do not declare 408.
        if (received.code !== 'payload_too_large' && match.kind === 'operation')
          context.match = { kind: 'refused', error: received };
        next(received);
        return;
      }
      if (isRead) context.body = received;
      next();
    });
  };
}

/** The largest body of an operation that takes more than JSON_LIMIT, in bytes; 0 if none does. */
export function largestBody({ operations }: Contract): number {
  return Math.max(0, ...Object.values(operations).map(({ bodyLimit = 0 }) => bodyLimit));
}

/** How long so many bytes of a body may take, in milliseconds. */
export function bodyTime(bytes: number): number {
  return BODY_TIME + bytes / SLOWEST_RATE;
}

/** Notes why the rest of `req` will never arrive. A waiting request gets that as its response. */
export function giveUpBody(req: IncomingMessage, { code, message, headers }: ApiError): void {
  const error = new ApiError(code, message, { ...headers, Connection: 'close' });
  (req as Arriving).brokenBy = error;
  req.emit(BROKEN, error);
}

function announcesBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || (length !== undefined && Number(length) !== 0);
}

/** Resolves to the body of a complete request, or to its fault. */
async function receive(
  req: Arriving,
  limit: number,
  code: 'payload_too_large' | 'invalid_request',
): Promise<Buffer | ApiError> {
  const tooLarge = () =>
    new ApiError(code, `The body must have at most ${limit} bytes.`, {
      Connection: 'close',
    });
  if (req.brokenBy) return req.brokenBy;
  if (Number(req.headers['content-length'] ?? 0) > limit) return tooLarge();
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const checkRate = () => {
      const left = startedAt + bodyTime(bytes) - performance.now();
      if (left > 0) timer = setTimeout(checkRate, left);
      else giveUp();
    };
    const giveUp = () => settle(pipelineError('request_timeout', { Connection: 'close' }));
    let timer = setTimeout(checkRate, BODY_TIME);
    const settle = (result: Buffer | ApiError) => {
      clearTimeout(timer);
      req.off('data', take);
      req.off('timeout', giveUp);
      req.off(BROKEN, settle);
      // The response gets its own time: a busy event loop may meet the socket's time-out in the same turn.
      if (result instanceof ApiError) req.socket.setTimeout(req.socket.timeout ?? 0);
      req.resume();
      resolve(result);
    };
    const chunks: Buffer[] = [];
    let bytes = 0;
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > limit || chunks.length * CHUNK_BYTES > limit) settle(tooLarge());
    };
    req.on('data', take);
    // Otherwise Node closes a silent socket without a response.
    req.once('timeout', giveUp);
    req.once(BROKEN, settle);
    req.once('end', () => settle(Buffer.concat(chunks)));
    req.once('error', () => undefined);
    // The client has closed the connection: do nothing.
    req.once('close', () => settle(new ApiError('invalid_request', 'The request is incomplete.')));
  });
}
