import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { ClientName } from './clients.ts';

/** Calls to make at once: cancelling `orderId`, or listing where that is missing. */
export interface Task {
  readonly client: ClientName;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly orderId?: number | string | undefined;
  readonly times: number;
}

/** What became of one call. */
export interface Outcome {
  readonly value?: unknown;
  readonly error?:
    { readonly name: string; readonly status: unknown; readonly retryAfter: unknown } | undefined;
  /** From the calls to this outcome. */
  readonly seconds: number;
}

const program = path.join(import.meta.dirname, 'child.ts');

/**
 * Makes the calls in a process of their own, and gives what became of those that ended within `seconds`. Then the
 * process is ended, and with it what still waits in it: some clients would sleep for an hour.
 */
export async function call(task: Task, seconds: number): Promise<Outcome[]> {
  const child = fork(program, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const outcomes: Outcome[] = [];
  const exited = once(child, 'exit');
  await once(child, 'spawn');
  child.send(task);
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, seconds * 1000);
    child.on('message', (outcome: Outcome) => {
      if (outcomes.push(outcome) === task.times) resolve();
    });
  });
  const crashed = await Promise.race([over.then(() => false), exited.then(() => true)]);
  clearTimeout(timer);
  if (crashed) throw new Error(`${task.client} ended its process`);
  child.kill('SIGKILL');
  await exited;
  return outcomes;
}
