import { operations } from '@petstore/contract';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { ApiError } from '../http/api-error.ts';
import { exchangeOf } from './exchange.ts';

/** A body that no operation has asked for is skipped up to this size. */
const MAX_SKIPPED_BYTES = 100_000;

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
    const { match } = exchangeOf(req);
    const readsBody = match.kind === 'operation' && operations[match.operationId].body !== undefined;
    if (readsBody || req.complete || !announcesBody(req)) {
      next();
      return undefined;
    }
    return skipBody(req).then((error) => {
      // No operation was asked for in so many words: the statuses of an operation have no 408.
      if (error) exchangeOf(req).match = { kind: 'refused', error };
      next(error);
    });
  };
}

/** Takes note that the rest of `req` will never arrive, and why. If it is being waited for, that is its reply. */
export function giveUpBody(req: IncomingMessage, { code, message, headers }: ApiError): void {
  const error = new ApiError(code, message, { ...headers, Connection: 'close' });
  (req as Arriving).brokenBy = error;
  req.emit(BROKEN, error);
}

function announcesBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || (length !== undefined && Number(length) !== 0);
}

/** Resolves to what is wrong with the request, or to nothing once it has arrived whole. */
async function skipBody(req: Arriving): Promise<ApiError | undefined> {
  const tooLarge = () =>
    new ApiError('invalid_request', `The body must have at most ${MAX_SKIPPED_BYTES} bytes.`, {
      Connection: 'close',
    });
  if (req.brokenBy) return req.brokenBy;
  if (Number(req.headers['content-length'] ?? 0) > MAX_SKIPPED_BYTES) return tooLarge();
  return new Promise((resolve) => {
    const settle = (error?: ApiError) => {
      req.off('data', count);
      req.off(BROKEN, settle);
      req.resume();
      resolve(error);
    };
    let bytes = 0;
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_SKIPPED_BYTES) settle(tooLarge());
    };
    req.on('data', count);
    req.once(BROKEN, settle);
    req.once('end', () => settle());
    req.once('error', () => undefined);
    // The client has hung up: there is nobody to answer, and nothing must be done either.
    req.once('close', () => settle(new ApiError('invalid_request', 'The request broke off.')));
  });
}
