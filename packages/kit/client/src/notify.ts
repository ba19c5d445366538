import { hooksOf, logLine } from '#platform';
import type { Call } from './call-state.ts';
import type { Hooks } from './options.ts';

/** Calls the hooks and the logger. Their errors, now or later, are ignored. */
export function notify(call: Call, name: keyof Hooks | 'request', details?: () => object): void {
  const { about, logger, service } = call;
  const hooks = hooksOf(call, name);
  if (!logger && !hooks.some((hook) => hook[name as keyof Hooks])) return;
  const { attempts: attempt, ...rest } = { ...about, ...details?.() };
  const event = { ...rest, attempt };
  const tell = async (tellOf: ((event: never) => unknown) | undefined) => {
    try {
      // Each gets a copy that it may change.
      await tellOf?.({ ...event } as never);
    } catch {
      // Ignored on purpose.
    }
  };
  for (const hook of hooks) void tell(hook[name as keyof Hooks]);
  if (logger) void tell(() => logger.debug(`${service.name}: ${logLine(name, event)}`));
}
