import type { Clock } from '@petstore/client';
import { startServer } from './served.ts';
import { json, refuse } from './server.ts';

export interface Count {
  served: number;
  refused: number;
  bans: number;
}

/**
 * Starts a server that limits, refuses and bans as the API says, by `clock`: windows of a minute that open with their first
 * request, and a ban for as many refusals within one as it allows requests. `beforeReply` is called when a request
 * has arrived.
 */
export async function startQuotaServer(clock: Clock, limit = 60, beforeReply = () => {}): Promise<Count> {
  const count = { served: 0, refused: 0, bans: 0 };
  let window = { end: 0, used: 0, refused: 0 };
  let bannedUntil = 0;

  await startServer((_request, response) => {
    beforeReply();
    const now = clock.now();
    if (now >= window.end) window = { end: now + 60_000, used: 0, refused: 0 };
    const headers = (remaining: number, end: number) => ({
      date: new Date(now).toUTCString(),
      'x-ratelimit-limit': limit,
      'x-ratelimit-remaining': remaining,
      'x-ratelimit-reset': Math.ceil(end / 1000),
    });
    const refuseUntil = (end: number, code: string) => {
      count.refused++;
      const retryAfter = Math.max(1, Math.ceil((end - now) / 1000));
      refuse(response, 429, code, { ...headers(0, end), 'retry-after': retryAfter });
    };
    if (now < bannedUntil) return refuseUntil(bannedUntil, 'api_key_banned');
    if (window.used < limit) {
      count.served++;
      return json(response, 200, [], headers(limit - ++window.used, window.end));
    }
    if (++window.refused >= limit) {
      count.bans++;
      bannedUntil = now + 900_000;
    }
    refuseUntil(window.end, 'rate_limit_exceeded');
  });
  return count;
}
