import type { Hook } from './options.ts';
import type { PreparedCall } from './prepare.ts';

/** Tells the hook of an event, and the logger. What they throw, now or later, is ignored. */
export function notify(call: PreparedCall, name: string, details?: () => object): void {
  const { [name]: hook, logger } = call as PreparedCall & Record<string, unknown>;
  if (!hook && !logger) return;
  const tell = async (tellOf: (event: object) => unknown) => {
    const { attempts: attempt, ...event } = { ...call.about, ...details?.() };
    try {
      await tellOf({ ...event, attempt });
    } catch {
      // Ignored on purpose.
    }
  };
  if (hook) void tell(hook as Hook<object>);
  // Its headers are many, and those of a response say little.
  if (logger) void tell((event) => logger.debug(`petstore: ${name}`, { ...event, headers: undefined }));
}
