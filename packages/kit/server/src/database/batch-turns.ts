import { setImmediate as nextTurn } from 'node:timers/promises';

/** Reads one batch every 10 turns, so that Node.js can accept connections and serve short requests between them. */
const TURNS_PER_BATCH = 10;

/**
 * Returns a function that resolves in a separate turn of the event loop, in the order of the calls: one batch is read
 * at a time, however many lists are sent.
 */
export function createBatchTurns(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => (last = last.then(passTurns));
}

async function passTurns(): Promise<void> {
  for (let turn = 0; turn < TURNS_PER_BATCH; turn += 1) await nextTurn();
}
