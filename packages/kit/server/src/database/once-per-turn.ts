import { setImmediate as nextTurn } from 'node:timers/promises';

/** Calls `query` once for all callers of one turn of the event loop, after that turn. */
export function oncePerTurn<Value>(query: () => Promise<Value>): () => Promise<Value> {
  let asking: Promise<Value> | undefined;
  async function askAfterTurn(): Promise<Value> {
    await nextTurn();
    asking = undefined;
    return query();
  }
  return () => (asking ??= askAfterTurn());
}
