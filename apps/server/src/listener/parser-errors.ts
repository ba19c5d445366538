import { once } from 'node:events';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Limiter } from '../limits/limiter.ts';
import { commonHeaders, requestIdFrom } from '../pipeline/begin.ts';
import { giveUpBody } from '../pipeline/whole.ts';
import { addressAccount, rateLimitHeaders } from '../pipeline/limit.ts';
import { addressOf } from '../http/address.ts';
import { ApiError } from '../http/api-error.ts';

/** How long the answer to a request before the broken one may take, in milliseconds. */
const PATIENCE = 10_000;
/** How long the client may take to read the answer and to hang up, in milliseconds. */
const LINGER = 2_000;

const broken = new WeakSet<Duplex>();
const lastRequestOn = new WeakMap<Duplex, IncomingMessage>();

/** Keeps the request in mind, so that junk that turns out to be the rest of it gets no answer of its own. */
export function rememberRequest(req: IncomingMessage): void {
  lastRequestOn.set(req.socket, req);
}

/**
 * Answers what Node's parser refused, which no request object exists for: as an Error object, with the rate-limit state of
 * the client's address, which is not counted. The connection is closed afterwards.
 */
export async function answerParserError(
  error: Error & { code?: string },
  socket: Duplex,
  { limiter, log }: { limiter: Limiter; log: Logger },
): Promise<void> {
  // No second parser error is of interest, and none may be answered.
  if (broken.has(socket)) return;
  broken.add(socket);
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  socket.once('error', () => socket.destroy());
  const refusal = error instanceof ApiError ? error : answerTo(error.code);
  const last = lastRequestOn.get(socket);
  if (last && !last.complete && giveUpBody(last, refusal)) return;
  const requestId = requestIdFrom(undefined);
  try {
    const mayAnswer = await requestsBefore(socket as SocketOfHttp);
    if (socket.writable) {
      const bytes = mayAnswer
        ? await answer(refusal, error.code, socket as Socket, requestId, limiter, log)
        : '';
      // RFC 9112 §9.6: closing at once would answer what the client still sends with a reset, which can take the
      // answer with it.
      socket.end(bytes).resume();
      setTimeout(() => socket.destroy(), LINGER).unref();
      return;
    }
  } catch (failure) {
    log.error({ err: failure, requestId }, 'the answer to a parser error failed');
  }
  socket.destroy();
}

/** What Node keeps on a socket of its HTTP server: the response that is being written. */
interface SocketOfHttp extends Socket {
  _httpMessage?: (ServerResponse & { req: IncomingMessage }) | null;
}

/**
 * Lets the answers to earlier requests of the connection go out first: pipelined junk must not take the place of the
 * answer to the request before it. Resolves to false where the junk was the rest of a request that has its answer.
 */
async function requestsBefore(socket: SocketOfHttp): Promise<boolean> {
  const deadline = performance.now() + PATIENCE;
  for (let response = socket._httpMessage; response && socket.writable; response = socket._httpMessage) {
    const { req } = response;
    if (performance.now() > deadline) return false;
    const waiting = new AbortController();
    const { signal } = waiting;
    await Promise.race([
      once(response, 'close', { signal }),
      once(socket, 'close', { signal }),
      sleep(PATIENCE, undefined, { ref: false, signal }),
    ]).finally(() => waiting.abort());
    if (!req.complete) return false;
  }
  return lastRequestOn.get(socket)?.complete ?? true;
}

async function answer(
  { code, message, status, headers }: ApiError,
  parserError: string | undefined,
  socket: Socket,
  requestId: string,
  limiter: Limiter,
  log: Logger,
): Promise<string> {
  const state = await limiter.peek(addressAccount(addressOf(socket.remoteAddress)));
  log.info({ requestId, status, code, parserError }, 'request');
  const body = JSON.stringify({ code, message, status });
  const head = {
    ...commonHeaders(requestId),
    ...rateLimitHeaders(state),
    ...headers,
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Date: new Date().toUTCString(),
    Connection: 'close',
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}

function answerTo(code: string | undefined): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('request_header_fields_too_large', 'The request line and headers are too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('request_timeout', 'The request did not arrive completely in time.');
    default:
      return new ApiError('invalid_request', 'The request is not valid HTTP/1.1 (RFC 9112).');
  }
}
