import { operations } from '@petstore/contract';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { ApiError } from '../http/api-error.ts';
import { exchangeOf } from './exchange.ts';

/** A body that no operation has asked for is skipped up to this size. */
const MAX_SKIPPED_BYTES = 100_000;

/** Requests that are waited for, and what refuses them. */
const arriving = new WeakMap<IncomingMessage, (error: ApiError) => void>();
/** Requests that turned out to be broken before they were waited for. */
const brokenBy = new WeakMap<IncomingMessage, ApiError>();

/**
 * Waits until the request has arrived whole, also where its body does not matter: one that breaks off, or whose
 * framing turns out to be wrong, is refused before anything is done (RFC 9112 §8).
 */
export function whole(): RequestHandler {
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

/**
 * Takes note that the rest of `req` will never arrive, and why. Returns whether that is its answer, because it was
 * being waited for.
 */
export function giveUpBody(req: IncomingMessage, { code, message, headers }: ApiError): boolean {
  const error = new ApiError(code, message, { ...headers, Connection: 'close' });
  const refuse = arriving.get(req);
  if (refuse) refuse(error);
  else brokenBy.set(req, error);
  return refuse !== undefined;
}

function announcesBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || (length !== undefined && Number(length) !== 0);
}

/** Resolves to what is wrong with the request, or to nothing once it has arrived whole. */
function skipBody(req: IncomingMessage): Promise<ApiError | undefined> {
  const tooLarge = () =>
    new ApiError('invalid_request', `The body must have at most ${MAX_SKIPPED_BYTES} bytes.`, {
      Connection: 'close',
    });
  return new Promise((resolve) => {
    const settle = (error?: ApiError) => {
      arriving.delete(req);
      req.off('data', count);
      req.resume();
      resolve(error);
    };
    let bytes = 0;
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_SKIPPED_BYTES) settle(tooLarge());
    };
    const broken = brokenBy.get(req);
    if (broken) resolve(broken);
    else if (Number(req.headers['content-length'] ?? 0) > MAX_SKIPPED_BYTES) resolve(tooLarge());
    else {
      arriving.set(req, settle);
      req.on('data', count);
      req.once('end', () => settle());
      req.once('error', () => undefined);
      // The client has hung up: there is nobody to answer, and nothing must be done either.
      req.once('close', () => settle(new ApiError('invalid_request', 'The request broke off.')));
    }
  });
}
