import { once } from 'node:events';
import http, { type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a proxy does to the requests and answers that pass through it. */
export interface Tampering {
  readonly request?: (request: { method: string; url: string; headers: Headers }) => void;
  readonly answer?: (
    answer: { status: number; headers: OutgoingHttpHeaders; body: string },
    request: IncomingMessage,
  ) => void;
  /** Never answers. */
  readonly silent?: true;
  /** Sent after the answer, as if the body went on. */
  readonly surplus?: string;
}

type Headers = Record<string, string[]>;

function distinct({ headersDistinct }: IncomingMessage): Headers {
  return Object.fromEntries(Object.entries(headersDistinct).map(([name, values]) => [name, values ?? []]));
}

/** A proxy in front of `origin` that gets something wrong, as a service with a bug would. */
export async function startTamperingProxy(origin: string, { request, answer, silent, surplus }: Tampering) {
  const { hostname, port: originPort } = new URL(origin);
  const server = http.createServer((req, res) => {
    const asked = { method: req.method ?? '', url: req.url ?? '', headers: distinct(req) };
    if (silent) return;
    request?.(asked);
    const forwarded = http.request({
      hostname,
      port: originPort,
      method: asked.method,
      path: asked.url,
      headers: { ...asked.headers, host: hostname, connection: 'close' },
    });
    forwarded.on('error', () => res.destroy());
    forwarded.on('response', (reply) => {
      let body = '';
      reply.setEncoding('utf8').on('data', (text: string) => (body += text));
      reply.on('end', () => {
        const headers: OutgoingHttpHeaders = { ...reply.headers };
        delete headers['connection'];
        delete headers['transfer-encoding'];
        const given = { status: reply.statusCode ?? 0, headers, body };
        answer?.(given, req);
        if (given.body !== '') headers['content-length'] = Buffer.byteLength(given.body);
        res.writeHead(given.status, headers).end(given.body);
        if (surplus) req.socket.write(surplus);
      });
    });
    req.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
