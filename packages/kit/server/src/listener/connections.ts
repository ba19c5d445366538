import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { dropRest, lingeringClose } from './linger.ts';

/** Requests that may wait for responses on all connections; above that, the limit on each. */
const MAX_UNDERWAY = 10_000;
const MAX_UNDERWAY_EACH = 50;

/** The state of one connection, for stopping, parser errors, the cap and the metrics. */
export interface Connection {
  readonly socket: Socket;
  /** Requests without a complete response. */
  underway: number;
  /** Of the last request that was read. */
  last?: ServerResponse<IncomingMessage>;
  /** Of the request that is served, or was last: pipelined ones wait behind it. */
  current?: ServerResponse<IncomingMessage>;
  /** `performance.now()` when the last response was sent, otherwise when the client connected. */
  idleSince: number;
  /** Nothing more is parsed: Node's parser has failed on it, or it is being closed. */
  isBroken: boolean;
}

export class Connections extends Map<Duplex, Connection> {
  /** The most bytes of a body, as `largestBody` of `waitForBody` says. */
  readonly largestBody: number;
  /** Requests without a complete response, on all connections. */
  underway = 0;

  constructor(largestBody: number) {
    super();
    this.largestBody = largestBody;
  }
}

export function addConnection(connections: Connections, socket: Socket): void {
  const connection: Connection = { socket, underway: 0, idleSince: performance.now(), isBroken: false };
  connections.set(socket, connection);
  const destroySoon = socket.destroySoon.bind(socket);
  // Node calls it after a response with `Connection: close`, even if the client is still sending the request.
  socket.destroySoon = () => {
    const { last, isBroken } = connection;
    if (!last || last.req.complete) destroySoon();
    else if (!isBroken) {
      connection.isBroken = true;
      last.req.resume();
      lingeringClose(socket, connections.largestBody);
    }
  };
  socket.once('close', () => {
    connections.delete(socket);
    // Node does not close responses that wait behind another one.
    connections.underway -= connection.underway;
  });
}

/** Counts a request until its response is sent. Returns false if too many wait: Node has no limit. */
export function noteRequest(connections: Connections, res: ServerResponse<IncomingMessage>): boolean {
  const connection = connections.get(res.req.socket);
  if (!connection) return true;
  if (connections.underway >= MAX_UNDERWAY && connection.underway >= MAX_UNDERWAY_EACH) return false;
  connections.underway += 1;
  connection.underway += 1;
  connection.last = res;
  if (res.socket) connection.current = res;
  else res.once('socket', () => (connection.current = res));
  res.on('close', () => {
    if (connections.has(connection.socket)) connections.underway -= 1;
    connection.underway -= 1;
    connection.idleSince = performance.now();
    // Node reads the rest of the request, without a limit.
    const { req } = res;
    if (!req.complete && !connection.isBroken)
      req.once('end', dropRest(connection.socket, connections.largestBody));
  });
  return true;
}

/** The responses that have begun or are waited for, one of each connection at most. */
export function* responsesOf(connections: Connections): Generator<ServerResponse<IncomingMessage>> {
  for (const { current, underway } of connections.values())
    if (current && underway > 0 && !current.closed) yield current;
}

/** Open connections, and those that wait for a response. */
export function countConnections(connections: Connections): { open: number; busy: number } {
  const busy = [...connections.values()].filter(({ underway }) => underway > 0).length;
  return { open: connections.size, busy };
}
