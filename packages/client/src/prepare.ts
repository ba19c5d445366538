import { operations } from '@petstore/contract';
import type { Client } from './client.ts';
import { credentialsOf } from './credentials.ts';
import { requestParts } from './request-parts.ts';
import { startTimer, type Timer } from './timer.ts';
import type { CallOptions, Limits, OperationId } from './types.ts';

/** A call that is ready to be sent, and how far it has come. */
export interface PreparedCall {
  readonly operation: OperationId;
  readonly method: string;
  readonly url: string;
  /** Those of the input and those that carry the key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Whether the body of a success is left unread. */
  readonly streamed: boolean;
  /** Milliseconds for one attempt. */
  readonly timeout: number;
  readonly maxAttempts: number;
  /** When the budget is used up, by the client's clock. */
  readonly deadline: number;
  /** Aborts when the budget is used up or `signal` aborts. To be ended with the call. */
  readonly timer: Timer;
  readonly signal: AbortSignal | undefined;
  /** Requests sent so far. */
  attempts: number;
}

/** Throws an InputError if the input cannot be sent. */
export function prepare(
  client: Client,
  operation: OperationId,
  input: Readonly<Record<string, unknown>> | undefined,
  options: CallOptions,
  streamed: boolean,
): PreparedCall {
  const { method } = operations[operation];
  const { target, headers, body } = requestParts(operation, input);
  const { signal } = options;
  const limit = (name: keyof Limits, standard: number) => options[name] ?? client[name] ?? standard;
  const budget = limit('budget', 90_000);
  return {
    operation,
    method,
    url: client.baseUrl + target,
    headers: { ...headers, ...credentialsOf(client, operation) },
    body,
    streamed,
    timeout: limit('timeout', 30_000),
    // What a POST or PATCH has done once must not be done again (RFC 9110 §9.2.2).
    maxAttempts: /^P(OST|ATCH)$/.test(method) ? 1 : limit('maxAttempts', 4),
    deadline: client.clock.now() + budget,
    timer: startTimer(budget, signal),
    signal,
    attempts: 0,
  };
}
