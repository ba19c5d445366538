import type { Operation } from '@kit/contract';
import type { Client } from './client.ts';
import type { Waiting } from './queue.ts';
import type { CallOptions, HeadersOption, ReplyBase } from './types.ts';

/** A request below the client's `baseUrl`, and how to read its response. */
export interface Outgoing<Outcome extends Received = Received> {
  /** None for a request of `fetch`. */
  readonly operation?: string;
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (HeadersOption | undefined)[];
  readonly body: RequestInit['body'];
  /** How the key is sent. */
  readonly security: Pick<Operation, 'credentials' | 'queryCredentials'> | undefined;
  /** Those of the call. What is not ours goes to `fetch`. */
  readonly options: CallOptions;
  /** Reads a response, within the attempt that got it. May throw a CallError. */
  readonly read: (received: Received, call: Call) => Promise<Outcome>;
  /** Whether the response leaves the call with its body unread, so that the caller's signal has to end that, too. */
  readonly isUnread?: boolean | undefined;
}

/** What errors, replies and events say of a request. */
export interface About {
  readonly operation: string | undefined;
  readonly method: string;
  /** Without the key. */
  url: string;
  /** Requests sent so far. */
  attempts: number;
}

/** A response whose headers have arrived. */
export interface Received {
  readonly response: Response;
  readonly about: Omit<ReplyBase, 'operation' | 'rawHeaders'> & Pick<About, 'operation'>;
}

/** How far a call has come. Its own options take the place of the client's. */
export interface Call extends Omit<Client, 'headers'>, Outgoing, Waiting {
  /** The request that was sent last. */
  readonly about: About;
  /** Takes secrets out of a text: a server, or an injected `fetch` that fails, may show what was sent. */
  hide: (text: string) => string;
  /** The idempotency key of the first request, which all others have as well. */
  kept?: string | undefined;
  /** The promise of the function `apiKey`. */
  key?: Promise<string>;
}
