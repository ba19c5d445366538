import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until `condition` holds. Throws when it has not by the deadline. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  { within = 240_000 }: { within?: number } = {},
): Promise<void> {
  const deadline = performance.now() + within;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${within} ms: ${condition.toString()}`);
    await sleep(10);
  }
}
