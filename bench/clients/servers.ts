import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Served {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  /** The requests that arrived. */
  readonly requests: { readonly line: string; readonly authorization: string | undefined }[];
  close(): Promise<void>;
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on a free loopback port that answers every request in the same way. */
export async function serve(answer: Answer): Promise<Served> {
  const requests: Served['requests'] = [];
  const server = createServer((request, response) => {
    requests.push({ line: `${request.method} ${request.url}`, authorization: request.headers.authorization });
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    requests,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close() {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}

/** What passed through a `countingProxy`. */
export interface Counted {
  answered: number;
  refused: number;
  banned: boolean;
}

/** Passes requests on to the service, and counts how it answers them. */
export async function countingProxy(origin: string): Promise<Served & { readonly counted: Counted }> {
  const counted: Counted = { answered: 0, refused: 0, banned: false };
  const proxy = await serve((incoming, response) => {
    const { method, headers } = incoming;
    const forward = async (reply: IncomingMessage) => {
      const body = await text(reply);
      if (reply.statusCode === 429) counted.refused++;
      else counted.answered++;
      counted.banned ||= body.includes('"api_key_banned"');
      response.writeHead(reply.statusCode ?? 502, reply.headers).end(body);
    };
    const outgoing = request(new URL(incoming.url ?? '', origin), { method, headers }, (reply) => {
      forward(reply).catch(() => response.destroy());
    });
    outgoing.on('error', () => response.destroy());
    outgoing.end();
  });
  return { ...proxy, counted };
}
