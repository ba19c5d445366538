import { setTimeout as sleep } from 'node:timers/promises';

/** In milliseconds, which is less than a test may take. */
const PATIENCE = 240_000;

/** Asks again and again until `condition` holds. Throws when it has not by the deadline. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${PATIENCE} ms: ${condition.toString()}`);
    await sleep(10);
  }
}
