import type { Batches } from '../http/list.ts';

/** The longest list that is cached, in bytes. */
const MAX_CACHED_BYTES = 8 * 1024 * 1024;

export interface Batch {
  /** JSON text of elements, without the array's brackets. */
  readonly text: string;
  /** The key of the last row, unless the table ends with it. */
  readonly last: readonly string[] | undefined;
}

/** A batch that was read, and the way to the next one, so that several requests can read a list together. */
export interface Link {
  readonly text: string;
  /** Of the array up to this batch, in bytes. */
  readonly length: number;
  /** Undefined at the end of the list. */
  readonly next: (() => Promise<Link>) | undefined;
}

export interface LinkOptions {
  readonly readBatch: (after?: readonly string[]) => Promise<Batch>;
  /** Resolves when the next batch may be read. */
  readonly batchTurn: () => Promise<void>;
  /** Called when a reading has gone far enough to tell whether the list can be cached. */
  readonly onLength: (isTooLong: boolean) => void;
}

/** Returns a function that reads the first batch of a list. */
export function firstLink({ readBatch, batchTurn, onLength }: LinkOptions): () => Promise<Link> {
  function linkAfter(last: readonly string[] | undefined, before: number): () => Promise<Link> {
    return onceWhileShort(async () => {
      if (last) await batchTurn();
      const batch = await readBatch(last);
      const length = before + Buffer.byteLength(batch.text) + 1;
      const isTooLong = length > MAX_CACHED_BYTES;
      if (isTooLong || !batch.last) onLength(isTooLong);
      return { text: batch.text, length, next: batch.last && linkAfter(batch.last, length) };
    });
  }
  return linkAfter(undefined, 1);
}

/** Reads a link once for all callers. After a failure, and beyond what can be cached, the next caller reads it again. */
function onceWhileShort(read: () => Promise<Link>): () => Promise<Link> {
  let known: Promise<Link> | undefined;
  async function readNow(): Promise<Link> {
    let isKept = false;
    try {
      const link = await read();
      isKept = link.length <= MAX_CACHED_BYTES;
      return link;
    } finally {
      if (!isKept) known = undefined;
    }
  }
  return () => (known ??= readNow());
}

/** The texts of the whole list. Undefined if it is too long to be cached. */
export async function allTexts(first: Link): Promise<string[] | undefined> {
  const texts: string[] = [];
  for (let link = first; ; link = await link.next()) {
    if (link.length > MAX_CACHED_BYTES) return undefined;
    texts.push(link.text);
    if (!link.next) return texts;
  }
}

/** The texts from a link on. Keeps none of them. */
export async function* textsFrom(link: Link): AsyncGenerator<string, void> {
  for (;;) {
    if (link.text !== '') yield link.text;
    if (!link.next) return;
    link = await link.next();
  }
}

/** The array of these texts, of which the last one may be empty. */
export function arrayOf(texts: readonly string[]): Buffer {
  return Buffer.from(`[${texts.filter((text) => text !== '').join(',')}]`);
}

/** The list from a link on, for one reader. */
export function batchesFrom(first: Link): Batches {
  // One generator, which leaves behind what it has sent. A function that begins with `first` would keep all.
  const texts = textsFrom(first);
  return { [Symbol.asyncIterator]: () => texts };
}
