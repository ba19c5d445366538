import type { Server, ServerResponse } from 'node:http';
import type net from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Connections } from './connections.ts';

/** How long idle connections stay open for a request that is on its way, in milliseconds. */
const LINGER = 500;
/** How long waiting connections are still accepted, in milliseconds. */
const ACCEPTING = 1_000;
/** How often idle connections are closed, in milliseconds. */
const INTERVAL = 50;

export interface DrainOptions {
  /** Accepts the connections. */
  readonly server: net.Server;
  /** Reads the requests. */
  readonly requests: Server;
  readonly connections: Connections;
  /** After this many milliseconds the remaining connections are cut. */
  readonly grace: number;
  /** For this many of these milliseconds nothing changes, so that load balancers notice. */
  readonly delay: number;
  /** Ends the responses that would not end by themselves. */
  readonly stopStreams: () => void;
}

/**
 * Stops accepting connections, and resolves to the number of cut connections after the last one has closed. Responds to
 * requests under way and within the next half second; each response is the last on its connection (RFC 9112 §9.6).
 * http-terminator, stoppable and others reset clients that wait to be accepted or are sending.
 */
export async function drain(options: DrainOptions): Promise<number> {
  const { server, requests, connections, grace, delay, stopStreams } = options;
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
  stopStreams();

  // Closing at once would reset a client that is sending its next request.
  const linger = Math.min(LINGER, grace / 4);
  for (let wait = linger; !over.aborted; wait = INTERVAL) {
    if ((await Promise.race([closed, pause(wait)])) === 'closed') break;
    // Timers come first after a stall: requests that arrived during it are read now.
    await nextTurn();
    const now = performance.now();
    for (const { socket, underway, idleSince } of connections.values()) {
      // Not end(), which waits for a client that leaves its half open.
      if (underway === 0 && now - idleSince >= linger) socket.destroySoon();
    }
  }
  await closed;
  return cut;
}

/** Closing resets connections that wait to be accepted. Node accepts one in each turn of its loop. */
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

/** Closes the connection after this response, and announces it if the headers are not sent yet. */
function endAfter(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}
