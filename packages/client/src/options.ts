import { servers, type Operations } from '@petstore/contract';
import type { DeprecationEvent, RequestEvent, ResponseEvent, RetryEvent } from './events.ts';
import type { Limits, OperationId } from './types.ts';

/** The servers of the contract by name. */
export type Environment = keyof typeof servers;

/** Time, as the client sees it. Only differences count: a clock that is wrong by hours changes nothing. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `milliseconds`. Once `signal` aborts, nobody waits for it any more. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** Is told of an event. What it throws or rejects with is ignored, and nobody waits for it. */
export type Hook<Event> = ((event: Event) => void) | ((event: Event) => Promise<void>);

interface Key {
  /** The API key, `pst_…`. Sent as the contract says, such as in a bearer token (RFC 6750 §2.1), and shown nowhere else. */
  readonly apiKey: string;
}

/** The operations that can be called without a key. */
type Open = { [Id in OperationId]: Operations[Id] extends { open: true } ? Id : never }[OperationId];

/** Needed, unless some operations are open to everyone: a call of another one is then an InputError without it. */
type Credentials = [Open] extends [never] ? Key : { [Name in keyof Key]?: Key[Name] | undefined };

export interface PetstoreOptions extends Limits, Credentials {
  /** The API's address, which ends in `/v1`. Takes precedence over `environment`. */
  readonly baseUrl?: string | undefined;
  /** One of the contract's servers. Default: `production`. */
  readonly environment?: Environment | undefined;
  /** Allows plain http to a host other than this machine. The key can then be read on the way. Default: false. */
  readonly allowInsecure?: boolean | undefined;
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Tells the time and waits. Default: the monotonic clock and timers of the platform. */
  readonly clock?: Clock | undefined;
  /** A number from 0 up to 1, for the jitter of retries. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** Called before each request. Events never contain the key. */
  readonly onRequest?: Hook<RequestEvent> | undefined;
  /** Called when the headers of a response have arrived. */
  readonly onResponse?: Hook<ResponseEvent> | undefined;
  /** Called before the wait that precedes another attempt. */
  readonly onRetry?: Hook<RetryEvent> | undefined;
  /**
   * Called for each response with a `Deprecation` (RFC 9745) or `Sunset` (RFC 8594) header. Default: one
   * `console.warn` per operation and process.
   */
  readonly onDeprecation?: Hook<DeprecationEvent> | undefined;
}

/** The address to send requests to. Throws a TypeError if the key would not be safe on the way there. */
export function addressOf({ baseUrl, environment = 'production', allowInsecure }: PetstoreOptions): string {
  const url = new URL(baseUrl ?? servers[environment]);
  const { protocol, origin, pathname, hostname } = url;
  const safe = allowInsecure || /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  // Credentials, a query or a fragment would be lost or sent along.
  if (!(protocol === 'https:' || (protocol === 'http:' && safe)) || url.href !== origin + pathname)
    throw new TypeError('baseUrl must be a plain https address (or http: this machine, or allowInsecure)');
  return url.href.replace(/\/$/, '');
}
