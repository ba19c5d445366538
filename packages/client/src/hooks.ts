import type { Hook } from './options.ts';

/** Tells a hook. What it throws, now or later, is ignored: telemetry must not change what becomes of a call. */
export async function notify<Event>(hook: Hook<Event> | undefined, event: Event): Promise<void> {
  try {
    await hook?.(event);
  } catch {
    // Ignored on purpose.
  }
}
