import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { errorTexts } from '@contract-kit/core/errors';
import { JSON_LIMIT } from '@contract-kit/core/http';
import { messageLimit } from '../http/message-limit.ts';
import { isOpen, type Model } from '@contract-kit/core/model';
import { ApiError, pipelineError, serviceUnavailable } from '../http/api-error.ts';
import { createBodyRoom, roomFor, type BodyRoom } from './body-room.ts';
import type { Bytes } from '../validation/multipart.ts';
import type { Caller } from '../keys/caller.ts';
import { requestContextOf } from './request-context.ts';

/** How long a body may take, in milliseconds, on top of its bytes at the slowest rate. */
const BODY_TIME = 12_000;
/** How often it is checked while a body waits for room, in milliseconds. */
const MIN_CHECK = 1_000;
/** Bytes in a millisecond: 400 kbit/s. */
const SLOWEST_RATE = 50;
/** Chunks that are kept one by one. More are joined, because the memory of a chunk of one byte is hundreds of bytes. */
const MOST_CHUNKS = 1_000;

/** The event of a request whose rest will never arrive. */
const BROKEN = 'broken';
/** A request, and why its rest will never arrive. */
type Arriving = IncomingMessage & { brokenBy?: ApiError };

/**
 * Waits for the whole request: an incomplete or wrongly framed one is rejected at once (RFC 9112 §8). `largest` is
 * `largestBody` of the contract.
 */
export function waitForBody(largest: number): RequestHandler {
  // Otherwise Node's time-out of requests is exact: see createListener.
  const isTimed = largest > 0;
  /** Only callers with a key may send a file. */
  const mcpLimit = (caller: Caller | undefined) => messageLimit(caller?.kind === 'key' ? largest : 0);
  const room = createBodyRoom(roomFor(largest));
  return (req, res, next) => {
    const context = requestContextOf(req);
    const { match, caller } = context;
    const isMcp = match.kind === 'outside' && match.isMcp === true;
    const body = match.kind === 'operation' ? match.operation.body : undefined;
    const isRead = isMcp || body !== undefined;
    // A large body is skipped for callers that `requireSecurity` will reject.
    if (match.kind === 'operation' && body?.limit && caller?.kind === 'address' && !isOpen(match.operation)) {
      context.headers['Connection'] = 'close';
      next();
      return undefined;
    }
    const readsItself = match.kind === 'outside' && match.isOfService;
    const limit = isMcp ? mcpLimit(caller) : (body?.limit ?? JSON_LIMIT);
    // Whether it has arrived depends on how long the key lookup took, so its size counts here too.
    const isSkipped = !isRead && req.complete && req.readableLength <= limit;
    if (readsItself || !announcesBody(req) || isSkipped) {
      next();
      return undefined;
    }
    const tooLarge = () =>
      new ApiError(isRead ? 'payload_too_large' : 'invalid_request', errorTexts.bodyTooLarge(limit), {
        Connection: 'close',
      });
    receive(req, res, { isRead, limit, tooLarge, isTimed, room }, (received) => {
      if (received instanceof ApiError) {
        // Without an operation, because operations do not declare 408.
        if (
          received.code !== 'payload_too_large' &&
          received.code !== context.endedBy?.code &&
          match.kind === 'operation'
        )
          context.match = { kind: 'rejected', error: received };
        next(received);
        return;
      }
      if (isRead) context.body = received;
      next();
    });
    return undefined;
  };
}

/** The largest body of an operation that takes more than JSON_LIMIT, in bytes; 0 if none does. */
export function largestBody({ operations }: Model): number {
  return Math.max(0, ...operations.map(({ body }) => body?.limit ?? 0));
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

interface Expected {
  /** Whether its bytes are kept. */
  readonly isRead: boolean;
  /** The most bytes, and the fault of a longer body. */
  readonly limit: number;
  readonly tooLarge: () => ApiError;
  /** Whether the bytes must arrive at the slowest rate. */
  readonly isTimed: boolean;
  readonly room: BodyRoom;
}

/** Calls `settle` once, with the body of a complete request or its fault. Without a promise, as most bodies are here. */
function receive(
  req: Arriving,
  res: ServerResponse,
  { isRead, limit, tooLarge, isTimed, room }: Expected,
  settle: (received: Bytes[] | ApiError) => void,
): void {
  if (req.brokenBy) return settle(req.brokenBy);
  const announced = Number(req.headers['content-length'] ?? limit);
  if (announced > limit) return settle(tooLarge());
  const joined: Bytes[] = [];
  const chunks: Bytes[] = [];
  let bytes = 0;
  let isSettled = false;
  let timer: NodeJS.Timeout | undefined;
  let leave: (() => void) | undefined;
  let isWaiting = false;
  const end = (received: Bytes[] | ApiError) => {
    if (isSettled) return;
    isSettled = true;
    clearTimeout(timer);
    // The listeners of a request live as long as it.
    chunks.length = joined.length = 0;
    if (received instanceof ApiError) {
      leave?.();
      req.resume();
      // The response gets its own time: a busy event loop may meet the socket's time-out in the same turn.
      req.off('timeout', giveUp);
      req.socket.setTimeout(req.socket.timeout ?? 0);
    }
    settle(received);
  };
  const giveUp = () => {
    const { code, message, headers } = isWaiting ? serviceUnavailable() : pipelineError('request_timeout');
    end(new ApiError(code, message, { ...headers, Connection: 'close' }));
  };
  let startedAt = performance.now();
  /** Reads no more until there is room for the whole body. It is held until the response has been sent. */
  const enterRoom = () => {
    const since = performance.now();
    isWaiting = true;
    req.pause();
    leave = room.enter(announced, () => {
      isWaiting = false;
      startedAt += performance.now() - since;
      req.resume();
    });
    res.once('close', leave);
  };
  const checkRate = () => {
    const left = startedAt + bodyTime(bytes) - performance.now();
    if (left > 0 || isWaiting) timer = setTimeout(checkRate, isWaiting ? MIN_CHECK : left);
    else giveUp();
  };
  if (isTimed) timer = setTimeout(checkRate, BODY_TIME);
  // Once settled, it drops the rest.
  req.on('data', (chunk: Bytes) => {
    if (isSettled) return;
    bytes += chunk.length;
    if (bytes > limit) end(tooLarge());
    else if (isRead && chunks.push(chunk) === MOST_CHUNKS) joined.push(Buffer.concat(chunks.splice(0)));
    if (isRead && !leave && !isWaiting && bytes > JSON_LIMIT && bytes <= limit) enterRoom();
  });
  // Otherwise Node closes a silent socket without a response.
  req.on('timeout', giveUp);
  req.on(BROKEN, end);
  req.on('end', () => end([...joined, ...chunks]));
  req.on('error', () => undefined);
  // Also of a complete request, for which creating an Error would take longer than receiving it.
  req.on('close', () => {
    if (!isSettled) end(new ApiError('invalid_request', errorTexts.INCOMPLETE));
  });
  return undefined;
}
