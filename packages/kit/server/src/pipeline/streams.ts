import { serviceUnavailable } from '../http/api-error.ts';
import type { Caller } from '../keys/caller.ts';

/** The most streamed arrays, of all callers and of one: a slow reader holds its place for long. */
const MAX_STREAMS = 32;
const MAX_STREAMS_OF_ONE = 8;
/** The Retry-After of rejected streams, in seconds. */
const RETRY_AFTER = 5;

export interface Streams {
  /** Takes a place for a stream to `caller`, and returns its release. Throws an ApiError, 503, if none is left. */
  take(caller: Caller | undefined): () => void;
}

export function createStreams(): Streams {
  const underway = new Map<string, number>();
  let total = 0;
  return {
    take(caller) {
      const id = caller?.kind === 'key' ? caller.key.id : (caller?.address ?? '');
      const own = underway.get(id) ?? 0;
      if (total >= MAX_STREAMS || own >= MAX_STREAMS_OF_ONE) throw serviceUnavailable(RETRY_AFTER);
      total += 1;
      underway.set(id, own + 1);
      return () => {
        total -= 1;
        const left = (underway.get(id) ?? 1) - 1;
        if (left > 0) underway.set(id, left);
        else underway.delete(id);
      };
    },
  };
}
