import type { Client } from './client.ts';
import type { Hook } from './options.ts';
import type { PreparedCall } from './prepare.ts';

/**
 * Tells the hook of an event, and the logger. What they throw, now or later, is ignored: telemetry must not change what
 * becomes of a call.
 */
export function notify(client: Client, name: string, call: PreparedCall, details?: () => object): void {
  const { [name]: hook, logger } = client as Client & Record<string, unknown>;
  if (!hook && !logger) return;
  const tell = async (tellOf: (event: object) => unknown) => {
    const { attempts: attempt, ...about } = call.about;
    try {
      await tellOf({ ...about, attempt, ...details?.() });
    } catch {
      // Ignored on purpose.
    }
  };
  if (hook) void tell(hook as Hook<object>);
  // Its headers are many, and those of a response say little.
  if (logger) void tell((event) => logger.debug(`petstore: ${name}`, { ...event, headers: undefined }));
}
