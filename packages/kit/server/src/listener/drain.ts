import type { Server, ServerResponse } from 'node:http';
import type net from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Connections } from './connections.ts';

/** How long connections stay open that clients may just be sending a request on, in milliseconds. */
const LINGER = 500;
/** For how long connections are accepted that wait to be accepted, in milliseconds. */
const ACCEPTING = 1_000;
/** How often it is looked which connections can be closed, in milliseconds. */
const INTERVAL = 50;

export interface DrainOptions {
  /** What accepts the connections. */
  readonly server: net.Server;
  /** What reads the requests on them. */
  readonly requests: Server;
  readonly connections: Connections;
  /** After this many milliseconds whatever is left is cut off. */
  readonly grace: number;
  /** For this many milliseconds of them everything goes on as before, so that load balancers notice. */
  readonly delay: number;
}

/**
 * Stops accepting connections and resolves when the last one is gone, to how many had to be cut off. Requests under way
 * are answered, and those that arrive within half a second; each response is the last of its connection (RFC 9112 §9.6).
 * By hand, because http-terminator, stoppable and others reset clients that wait to be accepted or are just sending.
 */
export async function drain(options: DrainOptions): Promise<number> {
  const { server, requests, connections, grace, delay } = options;
  let cut = 0;
  const over = AbortSignal.timeout(grace);
  over.addEventListener('abort', () => {
    cut = connections.size;
    for (const { socket } of connections.values()) socket.destroy();
  });
  const pause = (milliseconds: number) =>
    sleep(milliseconds, undefined, { signal: over, ref: false }).catch(() => {});

  await pause(delay);
  await acceptThoseWaiting(server, over);
  const closed = new Promise<'closed'>((resolve) => server.close(() => resolve('closed')));
  requests.prependListener('request', (_req, res) => endAfter(res));
  for (const { last } of connections.values()) if (last) endAfter(last);

  // Closing at once would reset the connection of a client that is sending its next request.
  const linger = Math.min(LINGER, grace / 4);
  for (let wait = linger; !over.aborted; wait = INTERVAL) {
    if ((await Promise.race([closed, pause(wait)])) === 'closed') break;
    const now = performance.now();
    for (const { socket, underway, idleSince } of connections.values()) {
      // Not end(): a client that leaves its half open would be waited for.
      if (underway === 0 && now - idleSince >= linger) socket.destroySoon();
    }
  }
  await closed;
  return cut;
}

/** The operating system resets connections that wait to be accepted. Node accepts one in each turn of its loop. */
async function acceptThoseWaiting(server: net.Server, over: AbortSignal): Promise<void> {
  let accepted = 0;
  const count = () => (accepted += 1);
  server.on('connection', count);
  const end = performance.now() + ACCEPTING;
  for (let before = -1; accepted !== before && performance.now() < end && !over.aborted;) {
    before = accepted;
    await nextTurn();
    await nextTurn();
  }
  server.off('connection', count);
}

/** The connection is closed after this answer, and the client is told so where that is still possible. */
function endAfter(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}
