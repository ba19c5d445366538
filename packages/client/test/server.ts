import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';

export interface TestServer {
  /** What to give to `createPetstore`. */
  readonly baseUrl: string;
  /** The requests it got, as `METHOD /path`. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** Has it listen on a free loopback port; gives that, with the host. */
export async function listen(server: Pick<Server, 'listen' | 'address'>): Promise<string> {
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A real HTTP server on a free loopback port, which answers as the test says. */
export async function serve(
  answer: (request: IncomingMessage, response: ServerResponse, count: number) => void,
): Promise<TestServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(request, response, requests.length);
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  return {
    baseUrl: `http://${await listen(server)}/v1`,
    requests,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}

/** Answers with JSON, as the API does. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string | number> = {},
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

/** Answers with the Error object. */
export function refuse(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string | number> = {},
): void {
  json(response, status, { code, message: `It is ${code}.`, status }, headers);
}
