import type { Operation } from '@kit/contract';
import { operations } from '@petstore/contract';
import type { Client } from './client.ts';
import { failure, InputError } from './errors.ts';
import { isOwn } from './options.ts';
import { checkedOptions } from './options-check.ts';
import type { Redactor } from './redact.ts';
import { requestParts } from './request-parts.ts';
import type { CallOptions, HeadersOption, OperationId } from './types.ts';

/** A call that is ready to be sent, and how far it has come; its own options take the place of the client's. */
export interface PreparedCall extends Omit<Client, 'headers'> {
  readonly signal: AbortSignal | undefined;
  readonly definition: Operation;
  readonly url: string;
  /** Those of the client, of the call's options and of its input. */
  readonly headers: readonly (HeadersOption | undefined)[];
  readonly body: string | undefined;
  /** Whether the body of a success is left unread. */
  readonly streamed: boolean | undefined;
  /** When the budget is used up, by the client's clock: no wait may end later. */
  readonly deadline: number;
  /** Milliseconds that are left of it, by the platform's clock, which an injected one does not move. */
  readonly left: () => number;
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
  /** Whether it has been asked again. */
  hasAskedAgain?: boolean;
}

interface About {
  readonly operation: OperationId;
  readonly method: string;
  /** Without the key. */
  url: string;
  /** Requests sent so far. */
  attempts: number;
}

/** Throws an InputError if the call cannot be sent. */
export function prepare(
  client: Client,
  operation: OperationId,
  input: Readonly<Record<string, unknown>> | undefined,
  callOptions: CallOptions,
  streamed: boolean | undefined,
): PreparedCall {
  const refuse = (why: string): never => {
    throw failure(InputError, { operation, attempts: 0 }, 'invalid_input', why);
  };
  if (input !== undefined && (Object(input) !== input || Symbol.iterator in input))
    refuse('input must be a plain object');
  const definition = operations[operation];
  const options: CallOptions = checkedOptions(callOptions, refuse);
  const { timeout = client.timeout, budget = client.budget, maxAttempts = client.maxAttempts } = options;
  // A proxy on the page's own origin adds one.
  if (!(definition.anonymous || client.apiKey || isOwn(new URL(client.baseUrl)))) refuse('needs an apiKey');
  const { target, headers, body } = requestParts(definition, input, refuse);
  const end = performance.now() + budget;
  const url = client.baseUrl + target;
  return {
    ...client,
    timeout,
    budget,
    maxAttempts,
    signal: options.signal,
    definition,
    url,
    headers: [client.headers, options.headers, headers],
    body,
    streamed,
    deadline: client.clock.now() + budget,
    left: () => end - performance.now(),
    about: { operation, method: definition.method, url, attempts: 0 },
    sentAt: 0,
    hide: String,
  };
}
