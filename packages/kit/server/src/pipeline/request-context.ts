import type { OperationId } from '@petstore/contract';
import type { IncomingMessage } from 'node:http';
import type { ApiError } from '../http/api-error.ts';
import type { Caller } from '../keys/caller.ts';
import type { ValidInput } from '../validation/request-validator.ts';

/** What a request asks for. It is decided first and replied to later, after the limit has counted it. */
export type Match =
  | {
      readonly kind: 'operation';
      readonly operationId: OperationId;
      /** The parameters in the path, percent-decoded. */
      readonly pathParams: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'options'; readonly allow: string }
  | { readonly kind: 'refused'; readonly error: ApiError }
  /** Outside the API: the docs, the document, health and metrics. */
  | { readonly kind: 'outside' };

/** A reply on its way out. */
export interface Outgoing {
  readonly status: number;
  readonly head: Record<string, string | number>;
  /** Whole, or a JSON array in batches: its elements without the brackets. */
  readonly body: string | Buffer | AsyncIterable<string> | undefined;
}

/** One request and what the stages of the pipeline have found out about it so far. */
export interface Exchange {
  readonly requestId: string;
  /** Where it comes from. */
  readonly ip: string | undefined;
  /** `performance.now()` when the request arrived, in milliseconds. */
  readonly startedAt: number;
  /** Headers that every reply to this request carries, whichever stage writes it. */
  readonly headers: Record<string, string>;
  match: Match;
  /** The trace that the request belongs to, 32 hexadecimal digits, where it has one. */
  traceId?: string;
  caller?: Caller;
  /** The code of the error that was replied with. */
  errorCode?: string;
  /** The bytes of the request's body, where its operation has one and the request too. */
  body?: Buffer;
  /** The request as its handler is given it, once it is validated. */
  input?: ValidInput;
  /** Holds a reply against the contract and returns what is to be written; unset where replies are not checked. */
  checkReply?: (outgoing: Outgoing) => Outgoing;
}

export function operationIdOf(exchange: Exchange): OperationId | undefined {
  return exchange.match.kind === 'operation' ? exchange.match.operationId : undefined;
}

type WithExchange = IncomingMessage & { exchange: Exchange };

/** The exchange that `begin` opened for `req`. */
export function exchangeOf(req: IncomingMessage): Exchange {
  return (req as WithExchange).exchange;
}

export function openExchange(req: IncomingMessage, exchange: Exchange): void {
  (req as WithExchange).exchange = exchange;
}
