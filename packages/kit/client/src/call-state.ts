import type { ClientOperation, KeyField } from './client-contract.ts';
import type { Client } from './client.ts';
import type { WaitEvent } from './events.ts';
import type { Waiting } from './queue.ts';
import type { CallOptions, HeadersOption, ReplyBase } from './types.ts';

/** A request below the client's `baseUrl`, and how to read its response. */
export interface Outgoing<Outcome extends Received = Received> {
  /** Absent for a request of `fetch`. */
  readonly operation?: string;
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (HeadersOption | undefined)[];
  readonly body: RequestInit['body'];
  readonly security: Pick<ClientOperation, KeyField> | undefined;
  /** The options of the call. Unknown ones go to `fetch`. */
  options: CallOptions;
  /** Reads a response, within the attempt that got it. May throw a CallError. */
  readonly read: (received: Received, call: Call) => Promise<Outcome>;
  /** Whether the body stays unread after the call, so that the caller's signal must end that too. */
  readonly isUnread?: boolean | undefined;
}

/** The details of a request in errors, replies and events. */
export interface About {
  readonly operation: string | undefined;
  readonly method: string;
  /** Without the key. */
  url: string;
  attempts: number;
}

/** A response whose headers have arrived. */
export interface Received {
  readonly response: Response;
  readonly about: Omit<ReplyBase, 'operation' | 'rawHeaders'> & Pick<About, 'operation'>;
}

/** The progress of a call. Its options override the client's. */
export interface Call extends Omit<Client, 'headers'>, Outgoing, Waiting {
  readonly about: About;
  readonly onWait: (delay: number, reason: WaitEvent['reason']) => void;
  /** Removes secrets from a text: a server or a failed `fetch` may quote the request. */
  hide: (text: string) => string;
  /** The idempotency key of all requests of the call. */
  kept?: string | undefined;
  /** The promise of the function `apiKey`. */
  key?: Promise<string>;
}
