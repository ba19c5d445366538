import type http from 'node:http';
import net from 'node:net';
import type { Socket } from 'node:net';

interface Connection {
  underway: number;
}

const connectionsOf = new WeakMap<http.Server, Map<Socket, Connection>>();
const draining = new WeakSet<http.Server>();

/** Keeps count of the requests under way on each connection, for `drain`. */
export function trackConnections(server: http.Server): void {
  const connections = new Map<Socket, Connection>();
  connectionsOf.set(server, connections);
  server.on('connection', (socket) => {
    connections.set(socket, { underway: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', (req, res) => {
    const connection = connections.get(req.socket);
    if (!connection) return;
    connection.underway += 1;
    if (draining.has(server)) res.shouldKeepAlive = false;
    res.once('close', () => {
      connection.underway -= 1;
      if (draining.has(server)) closeIfIdle(req.socket, connection);
    });
  });
}

/**
 * Stops accepting connections and resolves when the last one is gone. Requests under way are answered; connections
 * without one are closed, half-sent requests included; what is left after `grace` milliseconds is cut off.
 */
export async function drain(server: http.Server, grace: number): Promise<void> {
  const connections = connectionsOf.get(server) ?? new Map<Socket, Connection>();
  draining.add(server);
  const closed = new Promise<void>((resolve) => {
    // Not http.Server's own close: that one destroys connections whose answer is ended but not sent yet.
    net.Server.prototype.close.call(server, () => resolve());
  });
  for (const [socket, connection] of connections) closeIfIdle(socket, connection);
  const deadline = setTimeout(() => {
    for (const socket of connections.keys()) socket.destroy();
  }, grace);
  await closed;
  clearTimeout(deadline);
  // Ends the timer that http.Server checks its connections with.
  server.closeAllConnections();
  server.close();
}

function closeIfIdle(socket: Socket, { underway }: Connection): void {
  if (underway > 0) return;
  socket.end();
  socket.destroySoon();
}
