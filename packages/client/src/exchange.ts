import { operations } from '@petstore/contract';
import { rateLimitOf, retryAfterOf } from './asked.ts';
import { deprecationOf, warnOnce } from './deprecation.ts';
import type { RequestEvent } from './events.ts';
import type { Clock, Hook, PetstoreOptions } from './options.ts';
import type { Pacing } from './pacing.ts';
import { redact } from './redact.ts';
import { readReply, type AnyReply } from './reply.ts';
import type { Timer } from './timer.ts';

/** Sends one request that pacing has admitted, and reads its answer; `streamed` leaves that of a success unread. */
export async function exchange(
  event: RequestEvent,
  body: string | undefined,
  streamed: boolean | undefined,
  client: PetstoreOptions & { readonly clock: Clock },
  pacing: Pacing,
  timer: Timer,
): Promise<AnyReply> {
  const { operation, attempt, method, url } = event;
  const { apiKey, clock } = client;
  void notify(client.onRequest, event);
  const sent = clock.now();
  let response: Response | undefined;
  try {
    const request = new Request(url, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body }),
      // Following a redirect could take the key to another origin.
      redirect: 'manual',
      credentials: 'omit',
      signal: timer.signal,
    });
    response = await timer.race((client.fetch ?? fetch)(request));
  } finally {
    pacing.settle(response, timer.signal.aborted);
  }
  const { status, ok, headers } = response;
  const wait = status === 429 ? pacing.pause() : retryAfterOf(headers, clock.now());
  const base = {
    requestId: redact(headers.get('x-request-id') ?? '', apiKey) || undefined,
    rateLimit: rateLimitOf(headers),
    retryAfter: wait > 0 ? Math.ceil(wait / 1000) : undefined,
    attempts: attempt,
    rawHeaders: headers,
  };
  const { requestId, rateLimit } = base;
  void notify(client.onResponse, { ...event, status, requestId, rateLimit, duration: clock.now() - sent });
  const deprecation = deprecationOf(operation, headers);
  if (deprecation) void notify(client.onDeprecation ?? warnOnce, deprecation);
  const known = operations[operation].successes[status];
  const content = streamed && known && response.body ? response.body : await timer.race(response.text());
  const reply = readReply(operation, status, content, base);
  if ((reply.declared && ok) || typeof content !== 'string') return reply;
  return readReply(operation, status, redact(content, apiKey), base);
}

/** Tells a hook. What it throws, now or later, is ignored: telemetry must not change what becomes of a call. */
export async function notify<Event>(hook: Hook<Event> | undefined, event: Event): Promise<void> {
  try {
    await hook?.(event);
  } catch {
    // Ignored on purpose.
  }
}
