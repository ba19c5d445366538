import type { IncomingMessage, ServerResponse } from 'node:http';
import { arrivalOf, noteArrival } from '../http/arrival.ts';

/** How long a turn of the event loop may take up with requests, in milliseconds. */
const TURN = 10;
/** The same, while clients connect. */
const SHORT_TURN = 2;
/** Requests that may wait; beyond them they are worked on as they come, which makes their clients wait instead. */
const MAX_WAITING = 10_000;
/** What a request is taken to cost before any has been measured, in milliseconds. */
const FIRST_COST = 0.2;
/** The weight of the last turn in what a request is taken to cost. */
const WEIGHT = 0.2;

/** One in so many requests of a turn is one to be refused, while others wait to be served. */
const REFUSED_IN = 4;

type Response = ServerResponse & { req: IncomingMessage };
type Listener = (req: IncomingMessage, res: Response) => void;

export interface TurnsOptions {
  readonly work: Listener;
  /** Whether the next request is to be served. The others are noted as shed, and do not keep these waiting. */
  readonly admits: () => boolean;
  /** Whether a request is served in any case, and at once. */
  readonly isUrgent: (req: IncomingMessage) => boolean;
}

export interface Turns {
  /** Works on the request now, or queues it where this turn of the event loop has had its share of work. */
  readonly take: Listener;
  /** To be called for each new connection. */
  readonly connected: () => void;
  /** How long the request at the head of the queue has waited, in milliseconds; 0 if none waits. */
  readonly wait: () => number;
}

/**
 * Shares the event loop between requests and new connections. In each turn of the loop Node accepts one connection
 * and then answers all requests that have arrived. With some hundred busy clients a turn lasts long, and whoever
 * connects then, a health check too, waits for many seconds. So only as many requests are started in a turn as fit
 * into it by what they have cost so far; the others wait in order of arrival. An urgent one does not wait.
 */
export function createTurns({ work, admits, isUrgent }: TurnsOptions): Turns {
  const admitted: Response[] = [];
  const refused: Response[] = [];
  let cost = FIRST_COST;
  let most = TURN / FIRST_COST;
  let started = 0;
  let isScheduled = false;
  let isConnecting = false;
  let previous: number | undefined;

  function turn(): void {
    const now = performance.now();
    if (previous !== undefined && started > 0) cost += WEIGHT * ((now - previous) / started - cost);
    most = Math.max(1, (isConnecting ? SHORT_TURN : TURN) / cost);
    isConnecting = false;
    started = 0;
    isScheduled = countWaiting() > 0;
    // Only a turn that follows on another at once is all work; before others the loop may have slept.
    previous = isScheduled ? now : undefined;
    if (!isScheduled) return;
    setImmediate(turn);
    while (started < most && countWaiting() > 0) {
      const isTurnOfRefused = admitted.length === 0 || started % REFUSED_IN === REFUSED_IN - 1;
      const res = (isTurnOfRefused ? refused.shift() : undefined) ?? admitted.shift();
      if (!res || res.destroyed) continue;
      started += 1;
      work(res.req, res);
    }
  }

  function countWaiting(): number {
    return admitted.length + refused.length;
  }

  return {
    take: function take(req, res) {
      // Pipelined: its answer cannot be sent before the one to the request before it, so it does not begin before
      // that either. No connection has more than one request under way, and none after `Connection: close`.
      if (res.socket === null) {
        res.once('socket', () => take(req, res));
        return;
      }
      const at = performance.now();
      if (!isScheduled) {
        isScheduled = true;
        setImmediate(turn);
      }
      started += 1;
      if (isUrgent(req)) {
        noteArrival(req, { at, isShed: false });
        work(req, res);
        return;
      }
      const isShed = !admits();
      noteArrival(req, { at, isShed });
      const before = countWaiting();
      if ((before === 0 && started <= most) || before >= MAX_WAITING) {
        work(req, res);
        return;
      }
      started -= 1;
      (isShed ? refused : admitted).push(res);
    },
    connected() {
      isConnecting = true;
    },
    wait() {
      const [first] = admitted;
      return first ? performance.now() - (arrivalOf(first.req)?.at ?? 0) : 0;
    },
  };
}
