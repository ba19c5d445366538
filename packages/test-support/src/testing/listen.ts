import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { stopAtEnd } from './at-end.ts';

/** Serves `listener` on a free loopback port until the end of the suite. Resolves to the origin. */
export async function listen(listener: http.RequestListener, options: http.ServerOptions = {}) {
  const server = http.createServer(options, listener).listen(0, '127.0.0.1');
  stopAtEnd('service', () => {
    server.closeAllConnections();
    return once(server.close(), 'close');
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
