import http from 'node:http';
import type { Express } from 'express';
import { createOpsApp } from '../app.ts';
import { listen, noteAcceptError } from '../listener/listen.ts';
import { toOriginForm, type Listener } from '../listener/listener.ts';
import { openServerSpan } from '../pipeline/trace.ts';
import type { Start } from './prepare-start.ts';
import type { Wiring } from './wire.ts';

export interface Origins {
  readonly origin: string;
  /** The address of health and metrics, if they have a separate port. */
  readonly opsOrigin: string | undefined;
}

export async function openPorts(start: Start, listener: Listener, wiring: Wiring): Promise<Origins> {
  // First: if its port is taken, the other listener has nothing to drain yet.
  const opsOrigin = await openOpsPort(start, wiring);
  const origin = await listen(listener.server, { ...start.config, setting: '--port' });
  return { origin, opsOrigin };
}

async function openOpsPort({ config, lifetime }: Start, wiring: Wiring): Promise<string | undefined> {
  if (config.opsPort === undefined) return undefined;
  const server = opsServer(createOpsApp(wiring), wiring);
  const origin = await listen(server, { host: config.host, port: config.opsPort, setting: 'ADMIN_PORT' });
  lifetime.onClose(() => {
    server.close();
    server.closeAllConnections();
  });
  return origin;
}

function opsServer(app: Express, { log, state }: Pick<Wiring, 'log' | 'state'>): http.Server {
  const server = http.createServer((req, res) => {
    openServerSpan(req, state.keyFormat);
    toOriginForm(req);
    app(req, res);
  });
  return server.on('error', (error) => noteAcceptError(log, server, error));
}
