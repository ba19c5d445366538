import http from 'node:http';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import type { Logger } from 'pino';
import type { Limiter } from '../limits/limiter.ts';
import { ApiError, serviceUnavailable } from '../http/api-error.ts';
import { capConnections } from './connection-cap.ts';
import { observeConnections } from '../metrics.ts';
import { countConnections, trackConnections } from './drain.ts';
import type { Overload } from './overload.ts';
import { answerParserError, rememberRequest } from './parser-errors.ts';
import { presetPrototypes } from './preset-prototypes.ts';
import { createTurns } from './turns.ts';

export interface HttpServerOptions {
  readonly app: Express;
  readonly limiter: Limiter;
  readonly log: Logger;
  readonly maxConnections: number;
  /** False leaves the prototypes of requests and responses to Express: slower, and nothing else. True by default. */
  readonly tuned?: boolean;
  /** Says which requests are too many; without it none is. */
  readonly overload?: Overload;
  /** Targets that are served at once, however many requests wait. */
  readonly urgent?: ReadonlySet<string>;
}

/** The HTTP server around the app: time-outs, and the answers to what is no request that the app could see. */
export function createHttpServer(options: HttpServerOptions): http.Server {
  const { app, limiter, log, maxConnections, overload, urgent, tuned = true } = options;
  const turns = createTurns({
    work: app,
    admits: overload?.admits ?? (() => true),
    isUrgent: ({ url }) => urgent?.has(url ?? '') ?? false,
  });
  overload?.watch(turns.wait);
  const server = http.createServer(
    {
      ...(tuned && presetPrototypes(app)),
      // The app answers a missing Host itself, as an Error object: Node's own answer has no body and raises no event.
      requireHostHeader: false,
      headersTimeout: 8_000,
      requestTimeout: 12_000,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 10_000,
    },
    (req, res) => {
      rememberRequest(req);
      toOriginForm(req);
      turns.take(req, res);
    },
  );
  server.on('connection', turns.connected);
  trackConnections(server);
  observeConnections(() => countConnections(server));
  // A reader that takes nothing is cut off within 30 seconds: Node forgives it one such time.
  server.setTimeout(14_000);
  server.on('checkExpectation', (req, res) => {
    app(req, res);
  });
  server.on('clientError', (error, socket) => {
    void answerParserError(error, socket, { limiter, log });
  });
  server.on('connect', (_req, socket: Duplex) => {
    const error = new ApiError('method_not_allowed', 'CONNECT is not allowed here.', {
      Allow: 'GET, HEAD, OPTIONS',
    });
    void answerParserError(error, socket, { limiter, log });
  });
  capConnections(server, maxConnections, (socket) => {
    void answerParserError(serviceUnavailable(), socket, { limiter, log });
  });
  return server;
}

/** RFC 9112 §3.2.2: a target in absolute form is served as the path and query in it. */
function toOriginForm(req: http.IncomingMessage): void {
  if (req.url?.startsWith('/')) return;
  const [, rest] = /^https?:\/\/[^/?#]*(.*)$/i.exec(req.url ?? '') ?? [];
  if (rest !== undefined) req.url = rest.startsWith('/') ? rest : `/${rest}`;
}
