import os from 'node:os';

/** The memory for large bodies. A request that needs some waits until enough is free, in the order of arrival. */
export interface BodyRoom {
  /** Calls `start` once there is room for `bytes`, possibly at once. The function that it returns gives the room back. */
  enter(bytes: number, start: () => void): () => void;
}

interface Entry {
  readonly bytes: number;
  readonly start: () => void;
  state: 'waiting' | 'in' | 'left';
}

export function createBodyRoom(size: number): BodyRoom {
  const waiting: Entry[] = [];
  let free = size;
  const admit = () => {
    for (let [next] = waiting; next && next.bytes <= free; [next] = waiting) {
      waiting.shift();
      free -= next.bytes;
      next.state = 'in';
      next.start();
    }
  };
  return {
    enter(bytes, start) {
      const entry: Entry = { bytes: Math.min(bytes, size), start, state: 'waiting' };
      waiting.push(entry);
      admit();
      return () => {
        if (entry.state === 'in') free += entry.bytes;
        if (entry.state === 'waiting') waiting.splice(waiting.indexOf(entry), 1);
        entry.state = 'left';
        admit();
      };
    },
  };
}

/** A quarter of the memory of the machine, or of the process's cgroup, but enough for the largest body. */
export function roomFor(largest: number): number {
  // 0 if there is no limit.
  const memory = Math.min(process.constrainedMemory() || Infinity, os.totalmem());
  return Math.max(largest, memory / 4);
}
