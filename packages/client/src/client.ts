import type { Operation } from '@kit/contract';
import { operations } from '@petstore/contract';
import { platformClock } from './clock.ts';
import { warnOnce } from './deprecation.ts';
import { addressOf, isOwn, type Clock, type PetstoreOptions } from './options.ts';
import { checkedKey, checkedOptions } from './options-check.ts';
import { environmentOf, userAgent } from './platform.ts';
import { createSession, type Session } from './session.ts';

/** What all calls of a client share: its options, checked, and what is known of its key. */
export interface Client extends PetstoreOptions {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly timeout: number;
  readonly budget: number;
  readonly maxAttempts: number;
  readonly userAgent: string | undefined;
  readonly session: Session;
}

/** Options that are not given are those of `parent`. Throws a TypeError if an option is wrong. */
export function clientOf(options: PetstoreOptions, parent?: Client): Client {
  const changes = checkedOptions(options, (why) => {
    throw new TypeError(why);
  });
  const { baseUrl, environment } = changes;
  const given = {
    ...(parent ?? {
      timeout: 30_000,
      budget: 90_000,
      maxAttempts: 4,
      apiKey: environmentOf('PETSTORE_API_KEY'),
      clock: platformClock,
      onDeprecation: warnOnce,
      // Standard output belongs to the program.
      logger: environmentOf('PETSTORE_LOG') === 'debug' ? { debug: console.error } : undefined,
      userAgent: userAgent(),
    }),
    ...(environment && { baseUrl }),
    ...changes,
  };
  const { apiKey, clock } = given;
  const url = addressOf(given);
  const isOptional = isOwn(url) || Object.values<Operation>(operations).some(({ anonymous }) => anonymous);
  if (typeof apiKey !== 'function' && (apiKey !== undefined || !isOptional)) checkedKey(apiKey);
  // Another key, or another address, has limits of its own.
  const isSame = parent && !(changes.apiKey ?? baseUrl ?? environment);
  const session = isSame ? parent.session : createSession(clock);
  return { ...given, baseUrl: url.href.replace(/\/$/, ''), session };
}
