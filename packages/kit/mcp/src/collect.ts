/** Items of a stream in one result. Its client may show each as progress. */
const MAX_ITEMS = 100;
/** Characters of JSON in one result, more only if its first item has more: some 8,000 tokens, as in a part of a list. */
const MAX_LENGTH = 20_000;
/** Milliseconds. MCP clients time out after a minute, and a model waits for the result. */
const MAX_TIME = 10_000;

/** The first items of a stream. */
export interface Collected {
  readonly items: readonly unknown[];
  /** Whether there are no more. */
  readonly ended: boolean;
  /** Why it broke off after these items. */
  readonly broken?: string;
}

export function isStream(data: unknown): data is AsyncIterable<unknown> {
  return typeof data === 'object' && data !== null && Symbol.asyncIterator in data;
}

/**
 * Reads a stream until it ends, or has enough for one result: of items, characters or time. `onItem` is called for each item,
 * with its number. Throws the error of a stream that breaks off before its first item.
 */
export async function collect(
  stream: AsyncIterable<unknown>,
  onItem: (count: number) => Promise<void>,
): Promise<Collected> {
  const iterator = stream[Symbol.asyncIterator]();
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), MAX_TIME);
  });
  const items: unknown[] = [];
  let length = 0;
  try {
    while (items.length < MAX_ITEMS) {
      const next = await Promise.race([iterator.next(), timeUp]);
      if (next?.done) return { items, ended: true };
      if (!next) break;
      length += JSON.stringify(next.value).length;
      if (items.length > 0 && length > MAX_LENGTH) break;
      items.push(next.value);
      await onItem(items.length);
    }
    return { items, ended: false };
  } catch (error) {
    if (items.length === 0) throw error;
    return { items, ended: false, broken: (error as Error).message };
  } finally {
    clearTimeout(timer);
    // Closes the connection. It need not wait for a next item that is awaited.
    iterator.return?.().catch(() => undefined);
  }
}
