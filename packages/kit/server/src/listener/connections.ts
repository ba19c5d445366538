import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Requests that may wait for their answers, on all connections; beyond them, no more than so many on each. */
const MAX_UNDERWAY = 10_000;
const MAX_UNDERWAY_EACH = 50;

/** What is known of one connection: for stopping, for what Node's parser refuses, for the cap and the metrics. */
export interface Connection {
  readonly socket: Socket;
  /** Requests that have arrived and whose answers are not sent yet. */
  underway: number;
  /** The answer to the last request that has arrived. */
  last?: ServerResponse<IncomingMessage>;
  /** `performance.now()` when the last answer was sent, or else when the client connected. */
  idleSince: number;
  /** Node's parser has given up on it. */
  isBroken: boolean;
}

/** The connections that are served, by their sockets. */
export class Connections extends Map<Duplex, Connection> {
  /** Requests on all of them whose answers are not sent yet. */
  underway = 0;
}

export function addConnection(connections: Connections, socket: Socket): void {
  const connection: Connection = { socket, underway: 0, idleSince: performance.now(), isBroken: false };
  connections.set(socket, connection);
  socket.once('close', () => {
    connections.delete(socket);
    // Of those that wait behind another request, Node closes none.
    connections.underway -= connection.underway;
  });
}

/** Notes a request until its response is sent. Returns false if too many wait: Node reads on, however many do. */
export function noteRequest(connections: Connections, res: ServerResponse<IncomingMessage>): boolean {
  const connection = connections.get(res.req.socket);
  if (!connection) return true;
  if (connections.underway >= MAX_UNDERWAY && connection.underway >= MAX_UNDERWAY_EACH) return false;
  connections.underway += 1;
  connection.underway += 1;
  connection.last = res;
  res.on('close', () => {
    if (connections.has(connection.socket)) connections.underway -= 1;
    connection.underway -= 1;
    connection.idleSince = performance.now();
  });
  return true;
}

/** Connections that are open, and those of them that wait for an answer. */
export function countConnections(connections: Connections): { open: number; busy: number } {
  const busy = [...connections.values()].filter(({ underway }) => underway > 0).length;
  return { open: connections.size, busy };
}
