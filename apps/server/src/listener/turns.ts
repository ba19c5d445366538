import type { IncomingMessage, ServerResponse } from 'node:http';
import { arrivalOf, noteArrival } from '../http/arrival.ts';

/** For how long a turn of the event loop starts requests, in milliseconds. */
const TURN = 10;
/** The same, while clients connect. */
const SHORT_TURN = 2;
/** Requests that may wait; beyond them they are worked on as they come, which makes their clients wait instead. */
const MAX_WAITING = 10_000;
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
 * connects then, a health check too, waits for many seconds. So each turn starts requests for a while only; the others
 * wait in order of arrival. An urgent one does not wait.
 */
export function createTurns({ work, admits, isUrgent }: TurnsOptions): Turns {
  const admitted: Response[] = [];
  const refused: Response[] = [];
  /** `performance.now()` until which this turn starts requests; undefined while nothing is scheduled. */
  let end: number | undefined;
  let isConnecting = false;

  function isAnyWaiting(): boolean {
    return admitted.length + refused.length > 0;
  }

  function beginTurn(now: number): number {
    setImmediate(turn);
    const length = isConnecting ? SHORT_TURN : TURN;
    isConnecting = false;
    return (end = now + length);
  }

  function turn(): void {
    if (!isAnyWaiting()) {
      end = undefined;
      return;
    }
    const until = beginTurn(performance.now());
    for (let count = 1; isAnyWaiting() && (count === 1 || performance.now() < until); count += 1) {
      const isTurnOfRefused = admitted.length === 0 || count % REFUSED_IN === 0;
      const res = (isTurnOfRefused ? refused.shift() : undefined) ?? admitted.shift();
      if (res && !res.destroyed) work(res.req, res);
    }
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
      const isNow = isUrgent(req);
      const isShed = !isNow && !admits();
      noteArrival(req, { at, isShed });
      const until = end ?? beginTurn(at);
      const isFull = admitted.length + refused.length >= MAX_WAITING;
      if (isNow || isFull || (!isAnyWaiting() && at < until)) work(req, res);
      else (isShed ? refused : admitted).push(res);
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
