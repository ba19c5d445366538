import { serviceUnavailable } from '../http/api-error.ts';
import type { Caller } from '../keys/caller.ts';

/** How many streams there may be at once, of all callers and of one. */
interface Room {
  readonly most: number;
  readonly mostOfOne: number;
  /** The Retry-After of rejected streams, in seconds. */
  readonly retryAfter: number;
}

/** Of lists, which end soon: a slow reader holds its place for long. */
const LISTS: Room = { most: 32, mostOfOne: 8, retryAfter: 5 };

/** Of streams of items to one caller: as many as those of one address in deploy/nginx.conf. */
const MOST_OF_ONE = 250;

export interface Places {
  /** Whether there is no place left for `caller`. */
  isFull(caller: Caller | undefined): boolean;
  /** Takes a place for a stream to `caller`, and returns its release. Throws an ApiError, 503, if none is left. */
  take(caller: Caller | undefined): () => void;
}

export const createListPlaces = (): Places => createPlaces(LISTS);

function createPlaces({ most, mostOfOne, retryAfter }: Room): Places {
  const underway = new Map<string, number>();
  let total = 0;
  const idOf = (caller: Caller | undefined) =>
    caller?.kind === 'key' ? caller.key.id : (caller?.address ?? '');
  const isFull = (caller: Caller | undefined) =>
    total >= most || (underway.get(idOf(caller)) ?? 0) >= mostOfOne;
  return {
    isFull,
    take(caller) {
      if (isFull(caller)) throw serviceUnavailable(retryAfter);
      const id = idOf(caller);
      total += 1;
      underway.set(id, (underway.get(id) ?? 0) + 1);
      return () => {
        total -= 1;
        const left = (underway.get(id) ?? 1) - 1;
        if (left > 0) underway.set(id, left);
        else underway.delete(id);
      };
    },
  };
}

/** The streams of items under way, which may have no end. */
export interface Streams {
  /** Takes a place for a stream. `stop` is called when the service stops. Throws an ApiError, 503, if none is left. */
  open(caller: Caller | undefined, stop: () => void): () => void;
  /** Stops all streams, and rejects further ones. */
  stop(): void;
  readonly count: () => number;
}

/** At most half of the connections are streams, so that others get a response. */
export function createStreams(maxConnections: number): Streams {
  const places = createPlaces({ most: maxConnections / 2, mostOfOne: MOST_OF_ONE, retryAfter: 5 });
  const stops = new Set<() => void>();
  let isStopping = false;
  return {
    open(caller, stop) {
      if (isStopping) throw serviceUnavailable();
      const leave = places.take(caller);
      stops.add(stop);
      return () => {
        if (stops.delete(stop)) leave();
      };
    },
    stop() {
      isStopping = true;
      for (const stop of stops) stop();
    },
    count: () => stops.size,
  };
}
