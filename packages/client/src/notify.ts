import type { Client } from './client.ts';
import type { Hook } from './options.ts';

/**
 * Tells the hook of an event, and the logger. What they throw, now or later, is ignored: telemetry must not change what
 * becomes of a call.
 */
export function notify(client: Client, name: string, event: () => object): void {
  const { [name]: hook, logger } = client as Client & Record<string, unknown>;
  if (!hook && !logger) return;
  const tell = async (tellOf: (event: object) => unknown) => {
    try {
      await tellOf(event());
    } catch {
      // Ignored on purpose.
    }
  };
  if (hook) void tell(hook as Hook<object>);
  // Its headers are many, and those of a response say little.
  if (logger) void tell((about) => logger.debug(`petstore: ${name}`, { ...about, headers: undefined }));
}
