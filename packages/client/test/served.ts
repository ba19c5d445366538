import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createPetstore, type Clock, type Petstore, type PetstoreOptions } from '@petstore/client';
import type { Operation } from '@kit/contract';
import { operations } from '@petstore/contract';

export const apiKey = 'pst_test';

type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => void;
type ResponseHeaders = Readonly<Record<string, string | number>>;

export interface TestServer {
  readonly baseUrl: string;
  /** The requests it got, as `METHOD /path`. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** Listens on a free loopback port; returns the host and the port. */
export async function listen(server: Pick<Server, 'listen' | 'address'>): Promise<string> {
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A real HTTP server. `handle` gets the number of each request, from 1. */
export async function serve(handle: Handler): Promise<TestServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const http = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    handle(request, response, requests.length);
  });
  http.on('connection', (socket) => sockets.add(socket));
  return {
    baseUrl: `http://${await listen(http)}/v1`,
    requests,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((closed) => http.close(() => closed()));
    },
  };
}

/** The server of the running test. */
export let server: TestServer;

/** Starts the server, in place of an earlier one. It ends with the test. */
export async function startServer(handle: Handler): Promise<void> {
  await server?.close();
  server = await serve(handle);
}
afterEach(() => server?.close());

/** Responds with JSON and with the headers of the API. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers?: ResponseHeaders,
): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-request-id': 'request-1',
    'x-ratelimit-limit': 60,
    'x-ratelimit-remaining': 59,
    'x-ratelimit-reset': Math.ceil(Date.now() / 1000) + 60,
    ...headers,
  });
  response.end(JSON.stringify(body));
}

/** Responds with an Error object. */
export function refuse(
  response: ServerResponse,
  status: number,
  code: string,
  headers?: ResponseHeaders,
): void {
  json(response, status, { code, message: `It is ${code}.`, status }, headers);
}

/** Starts a server that responds to all requests with this JSON. */
export const answerAll = (body: unknown, headers?: ResponseHeaders): Promise<void> =>
  startServer((_request, response) => json(response, 200, body, headers));

/** Starts a server that refuses all requests. */
export const refuseAll = (status: number, code: string, headers?: ResponseHeaders): Promise<void> =>
  startServer((_request, response) => refuse(response, status, code, headers));

/** Starts a server that sends these bytes to all requests. */
export const sendAll = (body: string | Uint8Array, status = 200): Promise<void> =>
  startServer((_request, response) => response.writeHead(status).end(body));

/** Refuses the first requests, one with each status, and responds to all others with an empty list. */
export const after =
  (...statuses: readonly number[]): Handler =>
  (_request, response, count) => {
    const status = statuses[count - 1];
    if (status) refuse(response, status, 'whatever');
    else json(response, 200, []);
  };

export interface VirtualClock extends Clock {
  /** How long each sleep was, in milliseconds. */
  readonly sleeps: number[];
}

/** A clock that only sleeping moves. Sleeping takes no time. */
export function virtualClock(start = Date.UTC(2026, 10, 24, 9)): VirtualClock {
  let now = start;
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => now,
    sleep(milliseconds) {
      sleeps.push(milliseconds);
      now += milliseconds;
      return Promise.resolve();
    },
  };
}

/** A client of the server, whose waits take no time. */
export const client = (options: PetstoreOptions = {}): Petstore =>
  createPetstore({ apiKey, baseUrl: server?.baseUrl, clock: virtualClock(), ...options });

/** The reason that the promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('it did not reject');
    },
    (reason: unknown) => reason,
  );
}

/** `cancelOrder`, which a test may give features that no operation of the contract has yet. */
export const altered: { -readonly [Part in keyof Operation]: Operation[Part] } = operations.cancelOrder;
const unaltered = { ...altered };
afterEach(() => {
  for (const name of Object.keys(altered)) delete altered[name as keyof Operation];
  Object.assign(altered, unaltered);
});
