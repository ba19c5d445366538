import { setImmediate as nextTurn } from 'node:timers/promises';

/** Calls `ask` once for all callers of one turn of the event loop, after that turn. */
export function oncePerTurn<Value>(query: () => Promise<Value>): () => Promise<Value> {
  let asking: Promise<Value> | undefined;
  async function askAfterTurn(): Promise<Value> {
    await nextTurn();
    asking = undefined;
    return query();
  }
  return () => (asking ??= askAfterTurn());
}

/** Passes all items of one turn to `work` as a batch, and each caller its result. A failed batch fails for all. */
export function batchPerTick<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let waiting: Item[] = [];
  const run = oncePerTurn(() => {
    const items = waiting;
    waiting = [];
    return work(items);
  });
  return async (item) => {
    const place = waiting.push(item) - 1;
    return (await run())[place] as Result;
  };
}
