import { servers } from '@petstore/contract';
import type { DeprecationEvent, RequestEvent, ResponseEvent, RetryEvent } from './events.ts';
import { environmentOf, page } from './platform.ts';
import type { HeadersOption, Limits } from './types.ts';

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

/** What `fetch` is called with. */
export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

/** Any `fetch` that returns a `Response` of the standard: the global one, undici's, or a test's. */
export type Fetch = (url: string, init: FetchInit) => Promise<Response>;

/** Where debug messages go, such as `console` or a logger of pino. */
export interface Logger {
  debug(message: string, details?: unknown): void;
}

export interface PetstoreOptions extends Limits {
  /**
   * The API key, `pst_…`, needed unless `baseUrl` is of the page's own origin. A function is asked before the first
   * request, and again, once per call, after a 401. Default: `PETSTORE_API_KEY` of the environment.
   */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /** The API's address, which ends in `/v1`; before `environment`. Default: `PETSTORE_BASE_URL` of the environment. */
  readonly baseUrl?: string | undefined;
  /** One of the contract's servers. Default: `production`. */
  readonly environment?: Environment | undefined;
  /** Allows plain http to a host other than this machine. The key can then be read on the way. Default: false. */
  readonly allowInsecure?: boolean | undefined;
  /** Headers of every request; `undefined` or `null` leaves one out. A function is called for each request. */
  readonly headers?: HeadersOption | undefined;
  /** Sends the requests. Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Tells the time and waits. Default: the monotonic clock and timers of the platform. */
  readonly clock?: Clock | undefined;
  /** Is told of requests, responses and retries, without keys. Default: standard error if `PETSTORE_LOG` is `debug`. */
  readonly logger?: Logger | undefined;
  /** May change `url` and `headers` of each request; it is waited for. If it fails, so does the call. */
  readonly onRequest?: Hook<RequestEvent> | undefined;
  /** Called when the headers of a response have arrived. */
  readonly onResponse?: Hook<ResponseEvent> | undefined;
  /** Called before the wait that precedes another attempt. */
  readonly onRetry?: Hook<RetryEvent> | undefined;
  /** Called for each `Deprecation` (RFC 9745) or `Sunset` (RFC 8594). Default: one `console.warn` per operation. */
  readonly onDeprecation?: Hook<DeprecationEvent> | undefined;
}

/** Whether an address is of the page's own origin. */
export function isOwn({ origin }: URL): boolean {
  return origin === page.location?.origin;
}

/** Where requests go. Throws a TypeError if the key would not be safe on the way there. */
export function addressOf({ baseUrl, environment, allowInsecure }: PetstoreOptions): URL {
  let url = {} as URL;
  try {
    const named = environment ? servers[environment] : environmentOf('PETSTORE_BASE_URL');
    url = new URL(baseUrl ?? named ?? servers.production, page.location?.href);
  } catch {
    // Refused below, with the others.
  }
  const isSafe =
    allowInsecure ||
    isOwn(url) ||
    /^(https|http:\/\/([^/]+\.)?(localhost|127(\.\d+){3}|\[::1\])[:/])/.test(url.href);
  // Credentials, a query or a fragment would be lost or sent along.
  if (!isSafe || !/^https?:\/\/[^/@]+\/[^?#]*$/.test(url.href))
    throw new TypeError('baseUrl must be a plain https address, or http with allowInsecure');
  return url;
}
