import type { CallState } from './call-state.ts';
import type { HookName } from './client.ts';
import { warnOnce } from './deprecation.ts';
import type { DeprecationEvent, ResponseEvent, RetryEvent, WaitEvent } from './events.ts';
import type { Hook } from './options.ts';

type Event = ResponseEvent & RetryEvent & WaitEvent & DeprecationEvent;

/** What the debug log says of an event. */
const LINES: Readonly<Record<string, (event: Event) => string>> = {
  request: ({ method, url, attempt }) => `${method} ${url}${attempt > 1 ? `, attempt ${attempt}` : ''}`,
  onResponse: ({ status, duration, requestId = 'no request id' }) =>
    `${status} in ${Math.round(duration)} ms, ${requestId}`,
  onRetry: ({ attempt, status, delay }) =>
    `attempt ${attempt} gave ${status ?? 'no response'}; again in ${Math.round(delay)} ms`,
  onWait: ({ reason, delay, until }) =>
    `waits ${Math.round(delay)} ms, until ${until.toISOString()} (${reason})`,
  onDeprecation: ({ sunset }) => `deprecated${sunset ? `, goes away at ${sunset.toISOString()}` : ''}`,
};

/** Tells the hooks of an event, and the logger. What they throw, now or later, is ignored. */
export function notify(call: CallState, name: HookName | 'request', details?: () => object): void {
  const { hooks, logger, service, about } = call;
  const called: readonly Hook<never>[] = name === 'request' ? [] : (hooks[name] ?? []);
  const isWarned = name === 'onDeprecation' && called.length === 0;
  if (called.length === 0 && !logger && !isWarned) return;
  const { attempts: attempt, ...event } = { ...about, ...details?.() };
  const tell = async (tellOf: (event: never) => unknown) => {
    try {
      await tellOf({ ...event, attempt } as never);
    } catch {
      // Ignored on purpose.
    }
  };
  for (const hook of called) void tell(hook);
  if (isWarned) void tell(() => warnOnce(service.name, event as DeprecationEvent));
  const operation = event.operation ? `${event.operation}: ` : '';
  if (logger)
    void tell(() =>
      logger.debug(`${service.name}: ${operation}${LINES[name]?.({ ...event, attempt } as Event)}`),
    );
}
