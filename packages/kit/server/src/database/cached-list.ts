import type { Batches } from '../http/list.ts';
import { allTexts, arrayOf, batchesFrom, type Link } from './list-links.ts';

export interface CachedListOptions {
  /** Resolves to the list's revision, which is not older than the call. */
  readonly readRevision: () => Promise<string>;
  /** Returns a function that reads the first batch. */
  readonly begin: (onLength: (isTooLong: boolean) => void) => () => Promise<Link>;
  /** See ListDatabase. */
  readonly together: <Value>(query: () => Promise<Value>) => () => Promise<Value>;
}

/** A list at one revision. */
interface Reading {
  readonly revision: string;
  /** Its first batch, with those that were read behind it, or the array that they made. */
  known: (() => Promise<Link>) | Buffer;
  readonly progress: Progress;
}

/** Not in Reading: its batches know their progress, and would keep all batches before them. */
interface Progress {
  isComplete: boolean;
}

/**
 * Returns a function that reads a list: whole if it is cached, otherwise in batches from the first one on. Requests at one
 * revision share the batches. Nothing is older than the call that it is returned to.
 */
export function cachedList({
  readRevision,
  begin,
  together,
}: CachedListOptions): () => Promise<Buffer | Batches> {
  let latest: Reading | undefined;
  /** Whether the last reading that could tell found the list too long to be cached. Then no request shares another's. */
  let isTooLong = false;

  function beginReading(revision: string): Reading {
    const progress: Progress = { isComplete: false };
    const known = begin((tooLong) => {
      isTooLong = tooLong;
      progress.isComplete = !tooLong;
      if (tooLong) latest = undefined;
    });
    return { revision, known, progress };
  }

  const current = together(async () => {
    const revision = await readRevision();
    // A change committed while it is read may be in it. Then the revision has already changed.
    if (latest?.revision !== revision) latest = beginReading(revision);
    return latest;
  });

  /** Undefined if the list is too long to be cached. */
  async function wholeOf(reading: Reading, first: Link): Promise<Buffer | undefined> {
    const texts = await allTexts(first);
    // Another request may have made the array meanwhile.
    if (texts && !Buffer.isBuffer(reading.known)) reading.known = arrayOf(texts);
    return Buffer.isBuffer(reading.known) ? reading.known : undefined;
  }

  return async () => {
    const isShared = !isTooLong;
    const reading = isShared ? await current() : beginReading('');
    if (Buffer.isBuffer(reading.known)) return reading.known;
    const first = await reading.known();
    const whole = reading.progress.isComplete ? await wholeOf(reading, first) : undefined;
    if (whole) return whole;
    const batches = batchesFrom(first);
    return isShared ? { ...batches, whole: () => wholeOf(reading, first) } : batches;
  };
}
