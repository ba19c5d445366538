import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/* A real HTTP server for the tests of a client, and a clock for its waits. Each test stops its server. */

type Handler = (request: IncomingMessage, response: ServerResponse, count: number) => void;
type ResponseHeaders = Readonly<Record<string, string | number | string[]>>;

export interface TestServer {
  readonly baseUrl: string;
  /** The received requests, as `METHOD /path`. */
  readonly requests: string[];
  close(): void;
}

/** Listens on a free loopback port; returns the host and the port. */
export async function listen(server: Pick<Server, 'listen' | 'address'>): Promise<string> {
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A real HTTP server. `handle` receives the number of each request, from 1. */
export async function serve(handle: Handler): Promise<TestServer> {
  const requests: string[] = [];
  const http = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    handle(request, response, requests.length);
  });
  return {
    baseUrl: `http://${await listen(http)}/v1`,
    requests,
    close() {
      http.close();
      http.closeAllConnections();
    },
  };
}

/** The server of the running test. */
export let server: TestServer;

/** Starts a server, after stopping the previous one. It stops at the end of the test. */
export async function startServer(handle: Handler): Promise<void> {
  server?.close();
  server = await serve(handle);
}
afterEach(() => server?.close());

/** Responds with JSON and with the headers of the API. */
export function json(response: ServerResponse, status: number, body: unknown, headers?: ResponseHeaders) {
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
export function refuse(response: ServerResponse, status: number, code = 'any', headers?: ResponseHeaders) {
  json(response, status, { code, message: `It is ${code}.`, status }, headers);
}

/** Starts a server that responds to all requests with this JSON. */
export const answerAll = (body: unknown, headers?: ResponseHeaders) =>
  startServer((_request, response) => json(response, 200, body, headers));

/** Starts a server that refuses all requests, or the first ones, and responds to others with an empty list. */
export const refuseAll = (status: number, code?: string, headers?: ResponseHeaders, times = Infinity) =>
  startServer((_request, response, count) =>
    count > times ? json(response, 200, []) : refuse(response, status, code, headers),
  );
export const refuseOnce = (status: number, headers?: ResponseHeaders) => refuseAll(status, 'any', headers, 1);

/** Starts a server that sends these bytes to all requests. */
export const sendAll = (body: string | Uint8Array, status = 200) =>
  startServer((_request, response) => response.writeHead(status).end(body));

/** Refuses the first requests, one with each status, and responds to all others with an empty list. */
export const after =
  (...statuses: readonly number[]): Handler =>
  (_request, response, count) => {
    const status = statuses[count - 1];
    if (status) refuse(response, status);
    else json(response, 200, []);
  };

/** A clock that moves only by sleeping, which takes no time, and the milliseconds of each sleep. */
export function virtualClock(start = Date.UTC(2026, 10, 24, 9)) {
  let now = start;
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => now,
    sleep(milliseconds: number) {
      sleeps.push(milliseconds);
      now += milliseconds;
      return Promise.resolve();
    },
  };
}

/** The reason that the promise rejects with. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => Promise.reject(new Error('it did not reject')),
    (reason: unknown) => reason,
  );
