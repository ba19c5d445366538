import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import type { Logger } from 'pino';
import { OperatorError } from '../operator-error.ts';

/** The operating system's queue of unaccepted connections. Clients beyond it retry after seconds. */
const BACKLOG = 4_096;

/** Resolves to the origin once `server` listens. Throws an OperatorError that names the `setting` of the port. */
export async function listen(
  server: Server,
  { host, port, setting }: { readonly host: string; readonly port: number; readonly setting: string },
): Promise<string> {
  server.listen({ port, host, backlog: BACKLOG });
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      EADDRINUSE: `port ${port} is in use on ${host}: stop its process, or choose another with ${setting}`,
      EACCES: `port ${port} is not allowed for this user: choose one above 1023 with ${setting}`,
      EADDRNOTAVAIL: `${host} is not an address of this machine: choose another with --host`,
      ENOTFOUND: `${host} is not a known host name: choose another with --host`,
    };
    const reason = reasons[code ?? ''] ?? `cannot listen on ${host}:${port}: ${message}`;
    throw new OperatorError(reason, { cause: error });
  }
  const bound = server.address() as AddressInfo;
  return `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;
}

/**
 * Logs that a listening `server` could not accept a connection, such as without a free file descriptor. The connection waits
 * in the queue of the operating system. `listen` rejects with an error before that.
 */
export function noteAcceptError(log: Logger, server: Server, error: Error): void {
  if (server.listening) log.error({ err: error }, 'a connection could not be accepted');
}
