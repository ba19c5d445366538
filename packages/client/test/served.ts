import type { IncomingMessage, ServerResponse } from 'node:http';
import { createPetstore, type Petstore, type PetstoreOptions } from '@petstore/client';
import { json, refuse, serve, type TestServer } from './server.ts';
import { virtualClock } from './virtual-clock.ts';

export const apiKey = 'pst_test';

/** The server of the test that runs. */
export let server: TestServer;

/** Starts it, in place of one that there was. It ends with the test. */
export async function startServer(answer: Parameters<typeof serve>[0]): Promise<void> {
  await server?.close();
  server = await serve(answer);
}
afterEach(() => server?.close());

/** Starts one that gives all requests this list, or other body, in the way of the API. */
export const answerAll = (body: unknown, headers?: Parameters<typeof json>[3]): Promise<void> =>
  startServer((_request, response) => json(response, 200, body, headers));

/** Starts one that refuses all requests in the way of the API. */
export const refuseAll = (
  status: number,
  code: string,
  headers?: Parameters<typeof json>[3],
): Promise<void> => startServer((_request, response) => refuse(response, status, code, headers));

/** Starts one that sends this to all requests, in whatever way. */
export const sendAll = (body: string | Uint8Array, status = 200): Promise<void> =>
  startServer((_request, response) => response.writeHead(status).end(body));

/** Refuses the first requests, one with each status, and answers all others with an empty list. */
export const after =
  (...statuses: readonly number[]) =>
  (_request: IncomingMessage, response: ServerResponse, count: number): void => {
    const status = statuses[count - 1];
    if (status) refuse(response, status, 'whatever');
    else json(response, 200, []);
  };

/** A client of it, whose waits take no time. */
export const client = (options: PetstoreOptions = {}): Petstore =>
  createPetstore({ apiKey, baseUrl: server?.baseUrl, clock: virtualClock(), ...options });

/** What the promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('it did not reject');
    },
    (reason: unknown) => reason,
  );
}
