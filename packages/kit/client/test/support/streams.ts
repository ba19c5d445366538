import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ClientContract, ClientOperation } from '../../src/client-contract.ts';
import { createClient, readStream, type CallOptions, type Options } from '../../src/index.ts';

/* A contract with streams, a client of it, and a server that responds as each test says. */

const errors = { 401: true, 429: true, 503: true };
const events: ClientOperation = {
  method: 'GET',
  path: '/follow',
  accept: 'application/json,text/event-stream',
  responseTypes: { 200: 'text/event-stream' },
  streams: { 200: { 'text/event-stream': { kind: 'events', data: 'json', others: ['note'] } } },
  errors,
};
const headers = ['Last-Event-ID'];
const operations = {
  watch: { ...events, path: '/watch', headers },
  follow: events,
  ask: { ...events, method: 'POST', path: '/ask', headers },
  query: { ...events, method: 'QUERY', path: '/query', headers, body: 'required' },
  list: {
    ...events,
    path: '/list',
    accept: 'application/json,application/jsonl',
    responseTypes: { 200: 'application/jsonl' },
    streams: { 200: { 'application/jsonl': { kind: 'lines', data: 'json' } } },
  },
} satisfies Record<string, ClientOperation>;

export const contract: ClientContract<typeof operations> = {
  name: 'library',
  version: '1.0.0',
  servers: { local: 'http://localhost:3000' },
  basePath: '',
  operations,
  headerTypes: {},
};

export interface Event {
  readonly data: unknown;
  readonly event?: string;
  readonly id?: string;
  readonly retry?: number;
}

type Call<Item> = Promise<AsyncGenerator<Item, void, undefined>> & {
  reply(): Promise<{ readonly status: number; readonly body: AsyncIterable<Item> }>;
};
type Method<Item> = (input?: object, options?: CallOptions) => Call<Item>;
export type Library = Record<'watch' | 'follow' | 'ask' | 'query', Method<Event>> & {
  readonly list: Method<unknown>;
};

type Handle = (response: ServerResponse, request: IncomingMessage, count: number) => unknown;

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A server on a free port. `handle` gets the number of each request, from 1. */
export async function serve(handle: Handle) {
  /** The Last-Event-ID of each request, as text in UTF-8. */
  const ids: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const id = request.headers['last-event-id'];
    ids.push(typeof id === 'string' ? Buffer.from(id, 'latin1').toString() : undefined);
    void handle(response, request, ids.length);
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = (options: Options = {}) => {
    const clock = virtualClock();
    const given = { apiKey: 'key_1', baseUrl, clock, onWait: () => {}, ...options };
    return Object.assign(createClient(contract, given, { readStream }) as Library, { clock });
  };
  return { baseUrl, client, ids };
}

/** A clock that moves only by sleeping, which takes no time. */
export function virtualClock() {
  let now = 1_790_000_000_000;
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

export const sse = { 'content-type': 'text/event-stream; charset=utf-8' };
export const jsonl = { 'content-type': 'application/jsonl' };

/** Writes what has not been sent yet, and breaks the connection. */
export function cut(response: ServerResponse, text = ''): void {
  response.write(text || ':\n', () => setImmediate(() => response.socket?.destroy()));
}

export async function collect<Item>(stream: AsyncIterable<Item> | PromiseLike<AsyncIterable<Item>>) {
  const items: Item[] = [];
  for await (const item of await stream) items.push(item);
  return items;
}

/** The reason that the promise rejects with. */
export const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => Promise.reject(new Error('it did not reject')),
    (reason: unknown) => reason,
  );

/** A client that gets this response in pieces. */
export function clientOf(pieces: readonly Uint8Array[], headers: Record<string, string>): Library {
  const fetch = () => {
    const body = new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });
    return Promise.resolve(new Response(body, { headers }));
  };
  return createClient(contract, { apiKey: 'key_1', fetch }, { readStream }) as Library;
}
