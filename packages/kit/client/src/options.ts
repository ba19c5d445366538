import type { DeprecationEvent, RequestEvent, ResponseEvent, RetryEvent, WaitEvent } from './events.ts';
import type { HeadersOption, Limits } from './types.ts';

/** Time, as the client sees it. Only differences count: a clock that is wrong by hours changes nothing. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `milliseconds`. After `signal` aborts, nothing waits for it. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** Gets an event. Its errors are ignored, and no call waits for it. */
export type Hook<Event> = ((event: Event) => void) | ((event: Event) => Promise<void>);

export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: NonNullable<RequestInit['body']>;
  readonly redirect: 'manual';
  /** Of operations that take cookies. */
  readonly credentials?: NonNullable<RequestInit['credentials']>;
  readonly signal: AbortSignal;
}

/** Any `fetch` that returns a `Response` of the standard: the global one, undici's, or a test's. */
export type Fetch = (url: string, init: FetchInit) => Promise<Response>;

/** Where debug messages go, one line each, such as `console` or a logger of pino. */
export interface Logger {
  debug(message: string): void;
}

/** Functions that get events. Hooks of `withOptions` are added to the existing ones. */
export interface Hooks {
  /** May change `url` and `headers` of each request; the call waits for it. If it fails, so does the call. */
  readonly onRequest?: Hook<RequestEvent> | undefined;
  /** Called when the headers of a response have arrived. */
  readonly onResponse?: Hook<ResponseEvent> | undefined;
  /** Called before the wait for another attempt. */
  readonly onRetry?: Hook<RetryEvent> | undefined;
  /**
   * Called before every wait of a call: for the quota, after a rejection, and before a retry. Default: without a `logger`
   * one `console.warn` for the first wait of more than 5 seconds, but not in a page's production build.
   */
  readonly onWait?: Hook<WaitEvent> | undefined;
  /** Called for each `Deprecation` (RFC 9745) or `Sunset` (RFC 8594). Default: one `console.warn` per operation. */
  readonly onDeprecation?: Hook<DeprecationEvent> | undefined;
}

/** The options of a client. `Environment` names the servers of the contract. */
export interface Options<Environment extends string = string> extends Limits, Hooks {
  /**
   * The API key, required unless `baseUrl` has the page's origin. A function is called before the first request,
   * and again, once per call, after a 401. Default: the environment variable `…_API_KEY` of the service.
   */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /** The API's address; before `environment`. Default: the environment variable `…_BASE_URL` of the service. */
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
  /** Gets a line for each request, response, wait and retry, without keys. Default: standard error if `…_LOG` is `debug`. */
  readonly logger?: Logger | undefined;
}
