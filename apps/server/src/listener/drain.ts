import type http from 'node:http';
import type { ServerResponse } from 'node:http';
import net from 'node:net';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** How long connections stay open that clients may just be sending a request on, in milliseconds. */
const LINGER = 500;
/** For how long connections are accepted that wait to be accepted, in milliseconds. */
const ACCEPTING = 1_000;

interface Connection {
  underway: number;
  /** The answer to the last request that has arrived. */
  last?: ServerResponse;
}

interface Tracked {
  readonly connections: Map<Socket, Connection>;
  accepted: number;
  /** No connection is to be kept alive any more. */
  isDraining: boolean;
  /** How long a connection that was promised to be kept alive stays open after its answer, in milliseconds. */
  linger?: number;
}

const trackedOf = new WeakMap<http.Server, Tracked>();

/** Keeps count of the requests under way on each connection, for `drain`. */
export function trackConnections(server: http.Server): void {
  const tracked: Tracked = { connections: new Map(), accepted: 0, isDraining: false };
  trackedOf.set(server, tracked);
  server.on('connection', (socket) => {
    tracked.accepted += 1;
    tracked.connections.set(socket, { underway: 0 });
    socket.once('close', () => tracked.connections.delete(socket));
  });
  server.prependListener('request', (req, res) => {
    const connection = tracked.connections.get(req.socket);
    if (!connection) return;
    connection.underway += 1;
    connection.last = res;
    if (tracked.isDraining) res.shouldKeepAlive = false;
    res.once('close', () => {
      connection.underway -= 1;
      if (tracked.linger === undefined) return;
      if (res.shouldKeepAlive) setTimeout(closeIfIdle, tracked.linger, req.socket, connection);
      else closeIfIdle(req.socket, connection);
    });
  });
}

/** Connections that are open, and those of them that wait for an answer. */
export function countConnections(server: http.Server): { open: number; busy: number } {
  const connections = [...(trackedOf.get(server)?.connections.values() ?? [])];
  return { open: connections.length, busy: connections.filter(({ underway }) => underway > 0).length };
}

export interface DrainOptions {
  /** After this many milliseconds whatever is left is cut off. */
  readonly grace: number;
  /** For this many milliseconds of them everything goes on as before, so that load balancers notice. */
  readonly delay: number;
}

/**
 * Stops accepting connections and resolves when the last one is gone, to the number of those that had to be cut off.
 * Requests under way are answered, and so are those that arrive within the next half second on connections that are
 * kept alive; each answer is the last of its connection (RFC 9112 §9.6). Then connections without a request are
 * closed, half-sent requests included.
 */
export async function drain(server: http.Server, { grace, delay }: DrainOptions): Promise<number> {
  const tracked = trackedOf.get(server);
  if (!tracked) throw new Error('the connections of this server are not tracked');
  const { connections } = tracked;
  const waiting = new AbortController();
  let cut = 0;
  const deadline = setTimeout(() => {
    waiting.abort();
    cut = connections.size;
    for (const socket of connections.keys()) socket.destroy();
  }, grace);
  const pause = (milliseconds: number) =>
    sleep(milliseconds, undefined, { signal: waiting.signal }).catch(() => {});

  await pause(Math.min(delay, grace));
  await acceptThoseWaiting(tracked, Math.min(ACCEPTING, grace));
  const closed = new Promise<void>((resolve) => {
    // Not http.Server's own close: that one destroys connections whose answer is ended but not sent yet.
    net.Server.prototype.close.call(server, () => resolve());
  });
  tracked.isDraining = true;
  for (const { last } of connections.values()) if (last && !last.headersSent) last.shouldKeepAlive = false;
  // Closing at once would reset the connection of a client that is sending its next request.
  const linger = Math.min(LINGER, grace / 4);
  await Promise.race([closed, pause(linger)]);
  tracked.linger = linger;
  for (const [socket, connection] of connections) closeIfIdle(socket, connection);
  await closed;
  clearTimeout(deadline);
  waiting.abort();
  // Ends the timer that http.Server checks its connections with.
  server.closeAllConnections();
  server.close();
  return cut;
}

/** The operating system resets connections that wait to be accepted. Node accepts one in each turn of its loop. */
async function acceptThoseWaiting(tracked: Tracked, patience: number): Promise<void> {
  const end = performance.now() + patience;
  for (let before = -1; tracked.accepted !== before && performance.now() < end;) {
    before = tracked.accepted;
    await nextTurn();
    await nextTurn();
  }
}

function closeIfIdle(socket: Socket, { underway }: Connection): void {
  if (underway > 0) return;
  socket.end();
  socket.destroySoon();
}
