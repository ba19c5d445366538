import { setTimeout as sleep } from 'node:timers/promises';

/** In milliseconds, below the time limit of a test. */
const PATIENCE = 120_000;

/** Polls until `condition` holds. Throws at the deadline. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${PATIENCE} ms: ${condition.toString()}`);
    await sleep(10);
  }
}
