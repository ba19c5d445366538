import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import type { Contract } from '@kit/contract';
import { ApiError, pipelineError } from '../http/api-error.ts';
import { contextOf } from './request-context.ts';

/** A body is read, or skipped where no operation has asked for it, up to this size. */
const MAX_BODY_BYTES = 100_000;
/** How long a body may take, in milliseconds: so long, and as long again as its bytes take at the slowest rate. */
const BODY_TIME = 12_000;
/** Bytes in a millisecond: 400 kbit/s. */
const SLOWEST_RATE = 50;
/** What a chunk takes on top of its bytes: many small ones are bounded too. */
const CHUNK_BYTES = 100;

/** The event by which a request that is being waited for learns that the rest of it will never arrive. */
const BROKEN = 'broken';
/** A request, and why the rest of it will never arrive. */
type Arriving = IncomingMessage & { brokenBy?: ApiError };

/**
 * Waits until the request has arrived whole, also where its body does not matter: one that breaks off, or whose
 * framing turns out to be wrong, is refused before anything is done (RFC 9112 §8).
 */
export function waitForBody(): RequestHandler {
  return (req, _res, next) => {
    const context = contextOf(req);
    const { match, caller } = context;
    const isRead = match.kind === 'operation' && match.operation.body !== undefined;
    // A large body is not kept for whoever may not call the operation: `requireSecurity` refuses what comes with it.
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
    const limit = (match.kind === 'operation' && match.operation.bodyLimit) || MAX_BODY_BYTES;
    return receive(req, limit, isRead ? 'payload_too_large' : 'invalid_request').then((received) => {
      if (received instanceof ApiError) {
        // No operation was asked for in so many words: the statuses of an operation have no 408.
        if (received.code !== 'payload_too_large') context.match = { kind: 'refused', error: received };
        next(received);
        return;
      }
      if (isRead) context.body = received;
      next();
    });
  };
}

/** How long the longest body that the contract allows may take, in milliseconds. */
export function longestBodyTime({ operations }: Contract): number {
  const limits = Object.values(operations).map(({ bodyLimit = 0 }) => bodyLimit);
  return BODY_TIME + Math.max(0, ...limits) / SLOWEST_RATE;
}

/** Takes note that the rest of `req` will never arrive, and why. If it is being waited for, that is its response. */
export function giveUpBody(req: IncomingMessage, { code, message, headers }: ApiError): void {
  const error = new ApiError(code, message, { ...headers, Connection: 'close' });
  (req as Arriving).brokenBy = error;
  req.emit(BROKEN, error);
}

function announcesBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || (length !== undefined && Number(length) !== 0);
}

/** Resolves to the body once the request has arrived whole, or to what is wrong with it. */
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
      const left = startedAt + BODY_TIME + bytes / SLOWEST_RATE - performance.now();
      if (left > 0) timer = setTimeout(checkRate, left);
      else settle(pipelineError('request_timeout', { Connection: 'close' }));
    };
    let timer = setTimeout(checkRate, BODY_TIME);
    const settle = (result: Buffer | ApiError) => {
      clearTimeout(timer);
      req.off('data', take);
      req.off(BROKEN, settle);
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
    req.once(BROKEN, settle);
    req.once('end', () => settle(Buffer.concat(chunks)));
    req.once('error', () => undefined);
    // The client has hung up: there is nobody to answer, and nothing must be done either.
    req.once('close', () => settle(new ApiError('invalid_request', 'The request broke off.')));
  });
}
