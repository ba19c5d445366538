import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Contract } from '@contract-kit/core';
import type { Logger } from 'pino';
import type { Limiter } from '../limits/limiter.ts';
import { commonHeaders } from '../pipeline/open-context.ts';
import { peekAddress } from '../pipeline/rate-limit.ts';
import type { AppState } from '../pipeline/request-context.ts';
import { giveUpBody } from '../pipeline/wait-for-body.ts';
import { ApiError, pipelineError } from '../http/api-error.ts';
import type { Connection } from './connections.ts';
import { lingeringClose } from './linger.ts';

/** How long responses before the malformed request may take, in milliseconds. */
const RESPONSE_PATIENCE = 10_000;

/** The codes of parser errors; others are invalid requests. */
const CODES: Readonly<Partial<Record<string, 'request_header_fields_too_large' | 'request_timeout'>>> = {
  HPE_HEADER_OVERFLOW: 'request_header_fields_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

export interface ErrorContext {
  readonly limiter: Limiter;
  readonly log: Logger;
  readonly contract: Contract;
  /** The most bytes of a body, as `largestBody` says. */
  readonly largestBody: number;
  readonly state: AppState;
}

/** Responds to a request that Node's parser rejected, after the responses before it. */
export async function respondToParserError(
  error: Error & { code?: string },
  connection: Connection | undefined,
  context: ErrorContext,
): Promise<void> {
  // Ignores further errors of the parser.
  if (!connection || connection.isBroken) return;
  connection.isBroken = true;
  const { socket, last } = connection;
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  socket.once('error', () => socket.destroy());
  const rejection =
    error instanceof ApiError ? error : pipelineError(CODES[error.code ?? ''] ?? 'invalid_request');
  const isRestOfRequest = last?.req.complete === false;
  if (isRestOfRequest) giveUpBody(last.req, rejection);
  const isIdle = await becomesIdle(connection);
  if (isIdle && !isRestOfRequest && socket.writable)
    await refuseConnection(rejection, socket, context, error.code);
  else lingeringClose(socket, context.largestBody);
}

/** Writes an Error object with the rate-limit state of the client's address, counts nothing, and closes the socket. */
export async function refuseConnection(
  error: ApiError,
  socket: Socket,
  { limiter, log, contract, largestBody, state }: ErrorContext,
  parserError?: string,
): Promise<void> {
  const requestId = randomUUID();
  try {
    const limits = await peekAddress(limiter, contract, socket.remoteAddress);
    log.info(
      { requestId, status: error.status, code: error.code, parserError, address: socket.remoteAddress },
      'request',
    );
    const { code, message, status } = error;
    const { body, type } = state.errorBodies.of(undefined, { code, message, status, requestId, path: '' });
    const headers = { ...commonHeaders(requestId), 'Content-Type': type, ...limits };
    lingeringClose(socket, largestBody, responseText(error, body, headers));
  } catch (failure) {
    log.error({ err: failure, requestId, code: error.code }, 'the response to a parser error failed');
    socket.destroy();
  }
}

/** Whether all requests of the connection get their responses in time. */
async function becomesIdle(connection: Connection): Promise<boolean> {
  const { socket, last } = connection;
  if (last && connection.underway > 0) {
    // Not `once` of node:events, which rejects if the client resets the connection.
    await new Promise<void>((resolve) => {
      last.once('close', resolve);
      socket.once('close', resolve);
      setTimeout(resolve, RESPONSE_PATIENCE).unref();
    });
  }
  return connection.underway === 0;
}

function responseText({ status, headers }: ApiError, body: string, common: Record<string, string>): string {
  const head = {
    ...common,
    ...headers,
    'Cache-Control': 'no-store',
    'Content-Length': Buffer.byteLength(body),
    Date: new Date().toUTCString(),
    Connection: 'close',
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}
