import { operations, type Operation } from '@petstore/contract/published';
import { checked } from './advice.ts';
import { platformClock } from './clock.ts';
import { warnOnce } from './deprecation.ts';
import { addressOf, checkedKey, isOwn, type Clock, type PetstoreOptions } from './options.ts';
import { createSession, type Session } from './session.ts';
import { environmentOf, userAgent } from './platform.ts';

/** What all calls of a client share: its options, checked, and what is known of its key. */
export interface Client extends PetstoreOptions {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly timeout: number;
  readonly budget: number;
  readonly maxAttempts: number;
  readonly userAgent: string | undefined;
  readonly session: Session;
}

/** Throws a TypeError if an option is wrong. */
export function clientOf(options: PetstoreOptions, existing?: Session): Client {
  const given = {
    timeout: 30_000,
    budget: 90_000,
    maxAttempts: 4,
    apiKey: environmentOf('PETSTORE_API_KEY'),
    clock: platformClock,
    random: Math.random,
    onDeprecation: warnOnce,
    // Standard output belongs to the program.
    logger: environmentOf('PETSTORE_LOG') === 'debug' ? { debug: console.error } : undefined,
    ...checked(options, (why) => {
      throw new TypeError(why);
    }),
  };
  const { apiKey, clock, random } = given;
  const url = addressOf(given);
  const isOptional = isOwn(url) || Object.values<Operation>(operations).some(({ open }) => open);
  if (typeof apiKey !== 'function' && (apiKey !== undefined || !isOptional)) checkedKey(apiKey);
  const session = existing ?? createSession(clock, random);
  return { ...given, baseUrl: url.href.replace(/\/$/, ''), userAgent: userAgent(), session };
}
