import { AsyncResource } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { arrivalOf, noteArrival } from '../http/arrival.ts';

/** How long a turn of the event loop may take up with requests, in milliseconds. */
const TURN = 10;
/** The same, while clients connect. */
const SHORT_TURN = 2;
/** What a request is taken to cost before any has been measured, in milliseconds. */
const FIRST_COST = 0.2;
/** The weight of the last turn in what a request is taken to cost. */
const WEIGHT = 0.2;
/** One in so many requests of a turn is one to be refused, while others wait to be served. */
const REFUSED_IN = 4;

type Response = ServerResponse & { req: IncomingMessage };
type Listener = (req: IncomingMessage, res: Response) => void;

interface Waiting {
  readonly res: Response;
  /** The context that it arrived in, for tracers and whoever else follows it. */
  readonly context: AsyncResource;
}

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
 * into it by what they have cost so far; the others wait in order of arrival. An urgent one does not wait. (To start
 * requests until some time is over, whatever they cost later in the turn, kept health checks waiting for seconds.)
 */
export function createTurns({ work, admits, isUrgent }: TurnsOptions): Turns {
  // Neither grows without end: no connection has more than one request in them.
  const admitted: Waiting[] = [];
  const refused: Waiting[] = [];
  const budget = createBudget();
  let isScheduled = false;
  let isConnecting = false;

  function countWaiting(): number {
    return admitted.length + refused.length;
  }

  function turn(): void {
    isScheduled = countWaiting() > 0;
    budget.renew(isConnecting ? SHORT_TURN : TURN, isScheduled);
    isConnecting = false;
    if (!isScheduled) return;
    setImmediate(turn);
    for (let count = 1; budget.hasRoom() && countWaiting() > 0; count += 1) {
      const isTurnOfRefused = admitted.length === 0 || count % REFUSED_IN === 0;
      const next = (isTurnOfRefused ? refused.shift() : undefined) ?? admitted.shift();
      if (!next || next.res.destroyed) continue;
      budget.spend();
      next.context.runInAsyncScope(work, undefined, next.res.req, next.res);
    }
  }

  return {
    take: function take(req, res) {
      // Pipelined: its answer cannot be sent before the one to the request before it, so it does not begin before
      // that either, and not at all after `Connection: close`.
      if (res.socket === null) {
        res.once(
          'socket',
          AsyncResource.bind(() => take(req, res)),
        );
        return;
      }
      if (!isScheduled) setImmediate(turn);
      isScheduled = true;
      const isNow = isUrgent(req);
      const isShed = !isNow && !admits();
      noteArrival(req, { at: performance.now(), isShed });
      const isFree = countWaiting() === 0 && budget.hasRoom();
      if (isNow || isFree) {
        budget.spend();
        work(req, res);
      } else {
        // Not by AsyncResource.bind: the property that it keeps for old programs costs a fourth of a short request.
        (isShed ? refused : admitted).push({ res, context: new AsyncResource('TURN') });
      }
    },
    connected() {
      isConnecting = true;
    },
    wait() {
      const [first] = admitted;
      return first ? performance.now() - (arrivalOf(first.res.req)?.at ?? 0) : 0;
    },
  };
}

/** How many requests fit into a turn of the event loop, by what they have cost so far. */
function createBudget() {
  let cost = FIRST_COST;
  let max = TURN / FIRST_COST;
  let started = 0;
  /** `performance.now()` when this turn began; undefined where the loop may sleep in it, so that it tells no cost. */
  let began: number | undefined;
  return {
    hasRoom: () => started < max,
    spend: () => void (started += 1),
    /** Begins a turn of `length` milliseconds. Only one that `isBusy` is all work, because the next follows at once. */
    renew(length: number, isBusy: boolean): void {
      const now = performance.now();
      if (began !== undefined && started > 0) cost += WEIGHT * ((now - began) / started - cost);
      max = Math.max(1, length / cost);
      started = 0;
      began = isBusy ? now : undefined;
    },
  };
}
