import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * Requests of one connection that may wait for their answers. Node reads on however many do: where nobody takes the
 * answers, fifty connections used up all memory.
 */
const MAX_UNDERWAY = 50;

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
export type Connections = Map<Duplex, Connection>;

export function addConnection(connections: Connections, socket: Socket): void {
  connections.set(socket, { socket, underway: 0, idleSince: performance.now(), isBroken: false });
  socket.once('close', () => connections.delete(socket));
}

/**
 * Notes that a request has arrived, and when its answer is sent or its connection gone. Returns false where it is one
 * that waits too many.
 */
export function noteRequest(connections: Connections, res: ServerResponse<IncomingMessage>): boolean {
  const connection = connections.get(res.req.socket);
  if (!connection) return true;
  if (connection.underway === MAX_UNDERWAY) return false;
  connection.underway += 1;
  connection.last = res;
  res.on('close', () => {
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
