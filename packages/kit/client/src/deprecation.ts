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
