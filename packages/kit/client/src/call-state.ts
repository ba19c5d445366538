import type { Operation } from '@kit/contract';
import type { Client } from './client.ts';
import type { Redactor } from './redact.ts';
import type { CallOptions, HeadersOption, RateLimit } from './types.ts';

/** A request below the client's `baseUrl`, and how to read its response. */
export interface Outgoing<Outcome extends Received> {
  /** `undefined` for a request of `fetch`. */
  readonly operation: string | undefined;
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (HeadersOption | undefined)[];
  readonly body: string | ArrayBuffer | undefined;
  readonly credentials?: Operation['credentials'];
  /** Those of the call. What is not ours goes to `fetch`. */
  readonly options: CallOptions;
  /** Reads a response, within the attempt that got it. May throw a CallError. */
  readonly read: (received: Received, call: CallState) => Outcome | Promise<Outcome>;
  /** Whether the response leaves the call with its body unread, so that the caller's signal has to end that, too. */
  readonly isUnread?: boolean | undefined;
}

/** What errors, replies and events say of a request. */
export interface About {
  /** `undefined` for a request of `fetch`. */
  readonly operation: string | undefined;
  readonly method: string;
  /** Without the key. */
  url: string;
  /** Requests sent so far. */
  attempts: number;
}

/** What they say of its response as well. */
export interface AboutResponse extends Readonly<About> {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly rateLimit: RateLimit | undefined;
  /** Seconds to wait before the next call. */
  readonly retryAfter: number | undefined;
}

/** A response whose headers have arrived. */
export interface Received {
  readonly response: Response;
  readonly about: AboutResponse;
}

/** How far a call has come; its own options take the place of the client's. */
export interface CallState {
  readonly client: Client;
  readonly outgoing: Outgoing<Received>;
  readonly timeout: number;
  readonly budget: number;
  readonly maxAttempts: number;
  readonly signal: AbortSignal | undefined;
  /** When the budget is used up, by the client's clock: no wait may end later. */
  readonly deadline: number;
  /** Milliseconds that are left of it, by the platform's clock, which an injected one does not move. */
  readonly left: () => number;
  readonly onWait: (delay: number, reason: 'quota' | 'refused' | 'retry') => void;
  /** The request that was sent last, as errors and replies show it. */
  readonly about: About;
  /** When the last request was sent, by the client's clock. */
  sentAt: number;
  /** Takes secrets out of a text. */
  hide: Redactor;
  /** The idempotency key of the first request, which all others have as well. */
  kept?: Readonly<Record<string, string>>;
  /** The promise of the function `apiKey`. */
  key?: Promise<string> | undefined;
  /** Whether it has been called again. */
  hasAskedAgain?: boolean;
}
