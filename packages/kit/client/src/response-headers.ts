import type { RateLimit } from './types.ts';

export function header(headers: Headers, name: string): string | undefined {
  return headers.get(name) || undefined;
}

/** The quota in a response, or nothing if a header is missing or not a number. */
export function rateLimitOf(headers: Headers): RateLimit | undefined {
  const value = (name: string) => Number(header(headers, `x-ratelimit-${name}`));
  const [limit, remaining, reset] = [value('limit'), value('remaining'), value('reset')];
  return Math.min(limit, remaining, reset) >= 0 ? { limit, remaining, reset } : undefined;
}

/** Milliseconds until `time`, by the server's clock; at most a minute by ours, which may be wrong by hours. */
export function timeUntil(time: number, headers: Headers, now: number): number {
  const date = Date.parse(String(headers.get('date')));
  return date ? time - date : Math.min(time - now, 60_000);
}

/** The milliseconds that `Retry-After` asks to wait, 0 if it makes no sense. Every date is in GMT (RFC 9110 §5.6.7). */
export function retryAfterOf(headers: Headers, now: number): number {
  const value = headers.get('retry-after');
  if (!value) return 0;
  // A proxy may add its own to that of the API, which joins them with a comma: the longer one counts.
  const delay = Math.max(...value.split(',').map(parseFloat)) * 1000;
  // Infinity would block every later call.
  const milliseconds = Number.isFinite(delay)
    ? delay
    : timeUntil(Date.parse(value.replace(/( GMT)?$/, ' GMT')), headers, now);
  return milliseconds > 0 ? milliseconds : 0;
}

export function deprecationOf(headers: Headers) {
  const [since, sunset] = [header(headers, 'deprecation'), header(headers, 'sunset')];
  return since || sunset
    ? {
        since: dateAt(Number(since?.slice(1)) * 1000),
        sunset: dateAt(Date.parse(`${sunset}`)),
        link: header(headers, 'link'),
      }
    : undefined;
}

function dateAt(time: number): Date | undefined {
  return time ? new Date(time) : undefined;
}
