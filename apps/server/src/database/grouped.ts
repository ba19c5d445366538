import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Hands `work` all that is asked for in one turn of the event loop as one group, in the order it came in, and each who
 * asked the result at its place. What fails fails for the whole group.
 */
export function grouped<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let waiting: Item[] = [];
  let results: Promise<readonly Result[]>;

  async function workOff(): Promise<readonly Result[]> {
    await nextTurn();
    const items = waiting;
    waiting = [];
    return work(items);
  }

  return async (item) => {
    const place = waiting.push(item) - 1;
    if (place === 0) results = workOff();
    return (await results)[place] as Result;
  };
}
