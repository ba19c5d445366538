import { header } from './response-headers.ts';
import type { DeprecationEvent, RequestEvent } from './events.ts';

/** What a response says about the deprecation of its operation, if it does. */
export function deprecationOf(headers: Headers): Omit<DeprecationEvent, keyof RequestEvent> | undefined {
  const since = headers.get('deprecation');
  const sunset = headers.get('sunset');
  if (!(since || sunset)) return;
  return {
    since: date(Number(since?.slice(1)) * 1000),
    sunset: date(Date.parse(`${sunset}`)),
    link: header(headers, 'link'),
  };
}

function date(time: number): Date | undefined {
  return time ? new Date(time) : undefined;
}

const warned = new Set<string>();

/** Warns of a deprecated operation, once in the life of the process. */
export function warnOnce(service: string, { operation, method, url, sunset }: DeprecationEvent): void {
  const line =
    `${service}: ${operation ?? `${method} ${url}`} is deprecated` +
    (sunset ? ` and goes away at ${sunset.toISOString()}` : '');
  if (warned.has(line)) return;
  warned.add(line);
  console.warn(line);
}
