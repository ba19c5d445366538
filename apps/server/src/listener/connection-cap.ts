import type http from 'node:http';
import type { Socket } from 'node:net';
import { refusedConnections } from '../metrics.ts';

/** Connections beyond the cap that are told so; whoever comes on top of them is hung up on. */
const RESERVE = 100;
/** How long such a client may take to send its request, in milliseconds. */
const PATIENCE = 2_000;

/**
 * Serves `most` connections at once. On those beyond, `refuse` is to answer, and to close them, once a request
 * arrives. To be called when everything else listens to the server's connections.
 */
export function capConnections(server: http.Server, most: number, refuse: (socket: Socket) => void): void {
  const listeners = server.listeners('connection');
  server.removeAllListeners('connection');
  let open = 0;
  server.on('connection', (socket) => {
    if (open < most) {
      open += 1;
      socket.once('close', () => (open -= 1));
      for (const listener of listeners) listener.call(server, socket);
      return;
    }
    refusedConnections.inc();
    const timer = setTimeout(() => socket.destroy(), PATIENCE).unref();
    socket.once('error', () => socket.destroy());
    socket.once('data', () => {
      clearTimeout(timer);
      refuse(socket);
    });
  });
  server.maxConnections = most + RESERVE;
  server.on('drop', () => refusedConnections.inc());
}
