import { operations, type Operation } from '@petstore/contract';
import { platformClock } from './clock.ts';
import { addressOf, type Clock, type PetstoreOptions } from './options.ts';
import { createPacing, type Pacing } from './pacing.ts';

/** What all calls of a client share: its options, checked, and its pacing. */
export interface Client extends PetstoreOptions {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly pacing: Pacing;
}

/** Throws a TypeError if `apiKey` is malformed, or `baseUrl` is no place to send it to. */
export function clientOf(options: PetstoreOptions): Client {
  const { apiKey, clock = platformClock, random = Math.random } = options;
  // Checked here, because the TypeError that `Headers` throws for a malformed value contains the value.
  const isOptional = Object.values<Operation>(operations).some(({ open }) => open);
  if (!(apiKey === undefined && isOptional) && (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)))
    throw new TypeError('apiKey must be printable ASCII');
  return { ...options, baseUrl: addressOf(options), clock, random, pacing: createPacing(clock, random) };
}
