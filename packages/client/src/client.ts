import { operations, type Operation } from '@petstore/contract/published';
import { problemOf } from './advice.ts';
import { platformClock } from './clock.ts';
import { warnOnce } from './deprecation.ts';
import { addressOf, checkedKey, isOwn, type Clock, type PetstoreOptions } from './options.ts';
import { createPacing, type Pacing } from './pacing.ts';
import { environmentOf, userAgent } from './platform.ts';

/** What all calls of a client share: its options, checked, and what is known of its key. */
export interface Client extends PetstoreOptions {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly random: () => number;
  /** Whether calls may go without a key, because a proxy on the page's own origin adds it. */
  readonly isProxied: boolean;
  readonly userAgent: string | undefined;
  readonly session: Session;
}

/** What is known of a key. Clients that differ in other options share it. */
export interface Session {
  readonly pacing: Pacing;
  /** What the function `apiKey` gave. */
  key?: Promise<string> | undefined;
}

/** Throws a TypeError if an option is wrong. */
export function clientOf(options: PetstoreOptions, session?: Session): Client {
  const problem = problemOf(options);
  if (problem) throw new TypeError(problem);
  const { clock = platformClock, random = Math.random, onDeprecation = warnOnce } = options;
  const { apiKey = environmentOf('PETSTORE_API_KEY') } = options;
  const url = addressOf(options);
  const isProxied = isOwn(url);
  const isOptional = isProxied || Object.values<Operation>(operations).some(({ open }) => open);
  if (typeof apiKey !== 'function' && (apiKey !== undefined || !isOptional)) checkedKey(apiKey);
  return {
    // Standard output belongs to the program.
    ...(environmentOf('PETSTORE_LOG') === 'debug' && { logger: { debug: console.error } }),
    ...options,
    apiKey,
    baseUrl: url.href.replace(/\/$/, ''),
    clock,
    random,
    onDeprecation,
    isProxied,
    userAgent: userAgent(),
    session: session ?? { pacing: createPacing(clock, random) },
  };
}
