import type { ServerResponse } from 'node:http';
import type { Clock } from '@petstore/client';
import { json, refuse, serve, type TestServer } from './server.ts';

export interface QuotaServer extends TestServer {
  readonly served: () => number;
  readonly refused: () => number;
  readonly banned: () => boolean;
}

/**
 * A server that limits, refuses and bans as the API says, by `clock`: windows of a minute that open with their first
 * request, and a ban for as many refusals within one as it allows requests. `beforeAnswer` is called when a request
 * has arrived.
 */
export async function serveQuota(
  clock: Clock,
  limit: number,
  beforeAnswer: () => void = () => {},
): Promise<QuotaServer> {
  let windowEnd = 0;
  let used = 0;
  let refusedInWindow = 0;
  let served = 0;
  let refused = 0;
  let bannedUntil = 0;

  const answer = (response: ServerResponse) => {
    const now = clock.now();
    if (now >= windowEnd) {
      windowEnd = now + 60_000;
      used = 0;
      refusedInWindow = 0;
    }
    const date = new Date(now).toUTCString();
    const refuseUntil = (end: number, code: string) => {
      refused++;
      refuse(response, 429, code, {
        date,
        'retry-after': Math.max(1, Math.ceil((end - now) / 1000)),
        'x-ratelimit-limit': limit,
        'x-ratelimit-remaining': 0,
        'x-ratelimit-reset': Math.ceil(end / 1000),
      });
    };
    if (now < bannedUntil) return refuseUntil(bannedUntil, 'api_key_banned');
    if (used >= limit) {
      refusedInWindow++;
      if (refusedInWindow >= limit) bannedUntil = now + 900_000;
      return refuseUntil(windowEnd, 'rate_limit_exceeded');
    }
    used++;
    served++;
    json(response, 200, [], {
      date,
      'x-ratelimit-limit': limit,
      'x-ratelimit-remaining': limit - used,
      'x-ratelimit-reset': Math.ceil(windowEnd / 1000),
    });
  };

  const server = await serve((_request, response) => {
    beforeAnswer();
    answer(response);
  });
  return { ...server, served: () => served, refused: () => refused, banned: () => bannedUntil > 0 };
}
