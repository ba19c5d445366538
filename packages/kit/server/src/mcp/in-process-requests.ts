import http, { type ClientRequestArgs, type IncomingMessage } from 'node:http';
import { duplexPair, type Duplex } from 'node:stream';
import type { Express, Response } from 'express';
import { presetPrototypes } from '../listener/preset-prototypes.ts';
import type { AppState } from '../pipeline/request-context.ts';
import { openServerSpan } from '../pipeline/trace.ts';

/** What a request's stages read of its socket. */
export interface Origin {
  readonly remoteAddress: string | undefined;
  readonly localAddress: string | undefined;
  readonly localPort: number | undefined;
  /** Whether it came over TLS. */
  readonly encrypted: boolean;
}

/** Sends a request, and resolves to the head of its response. */
export type SendInProcess = (
  options: ClientRequestArgs,
  body: Buffer,
  origin: Origin,
) => Promise<IncomingMessage>;

/** Sends requests to `app` in this process, over connections in memory: each passes every stage, and takes no port. */
export function inProcessRequests(
  app: Express,
  { keyFormat, toolResponses }: Pick<AppState, 'keyFormat' | 'toolResponses'>,
): SendInProcess {
  const server = http.createServer(presetPrototypes(app), (req, res) => {
    openServerSpan(req, keyFormat);
    toolResponses.add(res as Response);
    res.once('close', () => toolResponses.delete(res as Response));
    app(req, res);
  });
  const connect = (origin: Origin): Duplex => {
    const [near, far] = duplexPair();
    near.on('error', () => undefined).once('close', () => far.destroy());
    far.on('error', () => undefined).once('close', () => near.destroy());
    server.emit('connection', Object.assign(far, origin, { setTimeout: () => far }));
    return near;
  };
  return (options, body, origin) =>
    new Promise((resolve, reject) => {
      const createConnection = () => connect(origin);
      // Not http.request: a tracer would make a span with the address, and perhaps a key in it.
      const request = new http.ClientRequest({ ...options, createConnection }, resolve);
      request.on('error', reject);
      request.end(body);
    });
}
