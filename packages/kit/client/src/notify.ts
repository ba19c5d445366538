import { lineOf, warnOnce } from '#advice';
import type { CallState } from './call-state.ts';
import type { HookName } from './client.ts';
import type { Hook } from './options.ts';

/** Tells the hooks of an event, and the logger. What they throw, now or later, is ignored. */
export function notify(call: CallState, name: HookName | 'request', details?: () => object): void {
  const { about, client } = call;
  const { hooks, logger, service } = client;
  const called: readonly Hook<never>[] = name === 'request' ? [] : (hooks[name] ?? []);
  const isWarned = name === 'onDeprecation' && called.length === 0;
  if (called.length === 0 && !logger && !isWarned) return;
  const { attempts: attempt, ...rest } = { ...about, ...details?.() };
  const event = { ...rest, attempt };
  const tell = async (tellOf: (event: never) => unknown) => {
    try {
      // Each gets its own, to change as it likes.
      await tellOf({ ...event } as never);
    } catch {
      // Ignored on purpose.
    }
  };
  for (const hook of called) void tell(hook);
  if (isWarned) void tell(() => warnOnce(service.name, event));
  if (logger) void tell(() => logger.debug(`${service.name}: ${lineOf(name, event)}`));
}
