import type { Clock } from './options.ts';
import { createQueue, type Queue } from './queue.ts';
import { createRateWindow, type RateWindow } from './rate-window.ts';

/** What is known of a key. Clients that share it never send more, together, than the API allows. */
export interface Session {
  readonly window: RateWindow;
  readonly queue: Queue;
  /** The promise of the key that the function `apiKey` returned. */
  key?: Promise<string> | undefined;
  /** Why the API last refused: a call that is held back meets the same refusal. */
  refusalCode: string;
}

export function createSession(clock: Clock): Session {
  const window = createRateWindow();
  return { window, queue: createQueue(window, clock), refusalCode: 'rate_limit_exceeded' };
}
