import { errorTexts } from '@contract-kit/core/errors';
import { AsyncResource } from 'node:async_hooks';
import http from 'node:http';
import net, { type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express, Response as ExpressResponse } from 'express';
import type { Model } from '@contract-kit/core/model';
import { ApiError, serviceUnavailable } from '../http/api-error.ts';
import type { Metrics } from '../metrics.ts';
import { OperatorError } from '../operator-error.ts';
import { openServerSpan } from '../pipeline/trace.ts';
import { bodyTime } from '../pipeline/wait-for-body.ts';
import type { ErrorContext } from './parser-errors.ts';
import { noteAcceptError } from './listen.ts';
import { addConnection, countConnections, noteRequest, responsesOf, Connections } from './connections.ts';
import { drain, type DrainOptions } from './drain.ts';
import { respondToParserError, refuseConnection } from './parser-errors.ts';
import { presetPrototypes } from './preset-prototypes.ts';

/** Connections above the cap that get a 503; further ones are closed. */
const RESERVE = 100;
/** How often refused connections are logged, in milliseconds. */
const REFUSAL_LOG_INTERVAL = 10_000;
/** How long such a client may take to send its request, in milliseconds. */
const REFUSED_PATIENCE = 2_000;

type Response = http.ServerResponse<http.IncomingMessage>;

export interface ListenerOptions extends ErrorContext {
  readonly app: Express;
  readonly model: Model;
  readonly metrics: Metrics;
  /** Connections served at once; further ones get 503. */
  readonly maxConnections: number;
}

export interface Listener {
  readonly server: net.Server;
  /** Those under way. */
  readonly responses: () => Iterable<ExpressResponse>;
  readonly drain: (times: Pick<DrainOptions, 'grace' | 'delay' | 'stopStreams'>) => Promise<number>;
}

/** Everything per connection: the cap, time-outs, and errors before the app. */
export function createListener(options: ListenerOptions): Listener {
  const { app, model, largestBody, log, metrics, maxConnections } = options;
  requireMethods(model);
  const connections = new Connections(largestBody);

  const requests = http.createServer({
    ...presetPrototypes(app),
    // The app rejects a missing Host with an Error object: Node's response has no body and no event.
    requireHostHeader: false,
    headersTimeout: 8_000,
    requestTimeout: bodyTime(largestBody),
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: 10_000,
  });
  // By default Node keeps 2,000 and hides the others, such as a second Host.
  requests.maxHeadersCount = 0;
  // A stalled reader is cut within 30 seconds: Node allows it two such periods.
  requests.setTimeout(14_000);
  for (const event of ['request', 'checkExpectation'])
    requests.on(event, (req: http.IncomingMessage, res: Response) => {
      openServerSpan(req, options.state.keyFormat);
      if (!admits(res)) return;
      toOriginForm(req);
      serveInOrder(app, req, res);
    });
  const reject = (error: Error, socket: Duplex) =>
    void respondToParserError(error, connections.get(socket), options);
  requests.on('clientError', reject);
  requests.on('connect', (_req, socket) => {
    // Node.js has removed its listener.
    socket.on('error', () => socket.destroy());
    const allowed = { Allow: 'GET, HEAD, OPTIONS' };
    reject(new ApiError('method_not_allowed', errorTexts.CONNECT_NOT_ALLOWED, allowed), socket);
  });

  const noteRefused = refusalNotes(options);

  /** Closes a connection with too many pipelined requests. Those already parsed are not logged. */
  function admits(res: Response): boolean {
    const { socket } = res.req;
    // RFC 9112 §9.6: a request after `Connection: close` is not served.
    if (socket.writableEnded) return false;
    if (noteRequest(connections, res)) return true;
    if (!socket.destroyed) noteRefused(socket.remoteAddress);
    socket.destroy();
    return false;
  }

  function turnAway(socket: Socket): void {
    noteRefused(socket.remoteAddress);
    socket.setTimeout(REFUSED_PATIENCE, () => socket.destroy());
    socket.once('data', () => void refuseConnection(serviceUnavailable(), socket, options));
  }

  // A separate server accepts connections and passes them on: http.Server has no cap with a response, and its close()
  // destroys connections with unflushed responses. The options are those of http.Server.
  const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    if (connections.size >= maxConnections) {
      turnAway(socket);
      return;
    }
    addConnection(connections, socket);
    requests.emit('connection', socket);
  });
  server.on('error', (error) => noteAcceptError(log, server, error));
  server.maxConnections = maxConnections + RESERVE;
  server.on('drop', (dropped) => noteRefused(dropped?.remoteAddress));
  // http.Server checks its time-outs only while it listens.
  server.once('listening', () => requests.emit('listening'));
  server.once('close', () => requests.close());
  metrics.observeConnections(() => countConnections(connections));
  return {
    server,
    // See preset-prototypes.ts.
    responses: () => responsesOf(connections) as Iterable<ExpressResponse>,
    drain: (times) => drain({ server, requests, connections, ...times }),
  };
}

/** Throws an OperatorError if the parser of this Node.js rejects a method of the contract. */
function requireMethods({ operations }: Model): void {
  const missing = operations.find(({ method }) => !http.METHODS.includes(method));
  if (missing)
    throw new OperatorError(
      `Node.js ${process.versions.node} takes no ${missing.method} requests, and the contract has ${missing.method} ${missing.path}: use the latest Node.js of its line`,
    );
}

/** Counts refused connections, and logs the number at most every ten seconds: a flood must not fill the log. */
function refusalNotes({ log, metrics, maxConnections }: ListenerOptions) {
  let refused = 0;
  let nextLine = 0;
  return (address: string | undefined): void => {
    metrics.refusedConnections.inc();
    refused += 1;
    if (performance.now() < nextLine) return;
    nextLine = performance.now() + REFUSAL_LOG_INTERVAL;
    log.warn({ address, refused, maxConnections, code: 'service_unavailable' }, 'connections refused');
    refused = 0;
  };
}

/** Serves a pipelined request after the responses before it, and none after `Connection: close` (RFC 9112 §9.6). */
function serveInOrder(app: Express, req: http.IncomingMessage, res: Response): void {
  if (res.socket !== null) app(req, res);
  else
    res.once(
      'socket',
      AsyncResource.bind(() => void app(req, res)),
    );
}

/** RFC 9112 §3.2.2: a target in absolute form means its path and query, and its host wins over the header. */
export function toOriginForm(req: http.IncomingMessage): void {
  if (req.url?.startsWith('/')) return;
  const [, host, rest] = /^https?:\/\/([^/?#]*)(.*)$/i.exec(req.url ?? '') ?? [];
  if (rest === undefined) return;
  req.url = rest.startsWith('/') ? rest : `/${rest}`;
  req.headers.host = host;
}
