import type { Operation } from '@contract-kit/core/model';
import type { Response } from 'express';
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { ApiError } from '../http/api-error.ts';
import type { Batches } from '../http/list.ts';
import type { ApiKeyFormat } from '../keys/api-key.ts';
import type { Caller } from '../keys/caller.ts';
import type { ErrorBodies } from '../validation/error-bodies.ts';
import type { Bytes } from '../validation/multipart.ts';
import type { ValidInput } from '../validation/request-validator.ts';
import type { FlushAtEndOfTick } from './flush-at-end-of-tick.ts';
import type { ResponsePlan } from './response-plan.ts';
import type { Places, Streams } from './streams.ts';

/** The route of a request. It is found first, and used after the limit has counted the request. */
export type Match =
  | {
      readonly kind: 'operation';
      readonly operationId: string;
      readonly operation: Operation;
      readonly planOf: (status: number) => ResponsePlan;
      /** The path parameters, percent-decoded. */
      readonly pathParams: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'options'; readonly allow: string }
  /** A malformed request may still have an operation. With `operation`, the status is the one that it declares. */
  | {
      readonly kind: 'rejected';
      readonly error: ApiError;
      readonly operationId?: string | undefined;
      readonly operation?: Operation | undefined;
    }
  /**
   * Outside the API: the docs, the document, health and metrics, the tools for agents (`isMcp`), and routes that only this
   * service has (`isOfService`).
   */
  | { readonly kind: 'outside'; readonly isOfService?: true; readonly isMcp?: true };

/** A response before it is written. */
export interface Outgoing {
  readonly status: number;
  readonly head: Record<string, string | number>;
  /** The whole body, or a JSON array in batches. */
  readonly body: string | Buffer | Batches | undefined;
}

export interface AppState {
  readonly log: Logger;
  readonly keyFormat: ApiKeyFormat;
  readonly lists: Places;
  readonly streams: Streams;
  readonly flushAtEndOfTick: FlushAtEndOfTick;
  readonly errorBodies: ErrorBodies;
  /** The responses to the tools' own requests, which have no connection of a client. */
  readonly toolResponses: Set<Response>;
}

/** A request, with the results of the stages so far. */
export interface RequestContext {
  readonly app: AppState;
  readonly requestId: string;
  readonly ip: string | undefined;
  /** `performance.now()` when the request arrived, in milliseconds. */
  readonly startedAt: number;
  /** Headers of every response to this request, by any stage. */
  readonly headers: Record<string, string>;
  match: Match;
  /** The id of the request's trace, 32 hexadecimal digits, if any. */
  traceId?: string;
  caller?: Caller;
  errorCode?: string;
  /** The message of a rejection, for the log. */
  errorReason?: string;
  /** The status of the error that ended the response after its headers were sent. */
  cutBy?: number;
  /** The bytes of the request's body, if its operation takes one. A form is taken out while it is read. */
  body?: Bytes[];
  /** Tells the request from others with the same idempotency key, if it has one. */
  fingerprint?: string;
  /** The handler's input, after validation. */
  input?: ValidInput;
  /** Whether a handler, a tool or an own route was called: then the request may have had an effect. */
  isHandled?: boolean;
  /** Validates a response and returns the one to write; unset if responses are not validated. */
  validateResponse?: (outgoing: Outgoing) => Outgoing;
  /** Throws an ApiError if an item violates the contract of a response of the media type; unset as above. */
  validateItem?: (status: number, item: unknown, type: string) => void;
  /** Why the caller may no longer have the response, which has not begun. */
  endedBy?: ApiError;
  /** Ends the stream of items that is sent. */
  interrupt?: (why: ApiError) => void;
  /** Aborts the handler's `signal`, once that was read. */
  leaving?: AbortController;
  /** What was sent of a stream of items; `headAt` is `performance.now()` when its head was. */
  stream?: { items: number; headAt: number };
}

/** Throws the reason if the caller may no longer have the response, which has not begun. */
export function throwIfEnded({ endedBy }: RequestContext): void {
  if (endedBy) throw endedBy;
}

/** Whether the request has a caller: pages are open to everyone. */
export function hasCaller(match: Match): boolean {
  return match.kind !== 'outside' || match.isMcp === true;
}

export function operationIdOf(context: RequestContext): string | undefined {
  return context.match.kind === 'operation' ? context.match.operationId : undefined;
}

type WithContext = IncomingMessage & { context: RequestContext };

export function requestContextOf(req: IncomingMessage): RequestContext {
  return (req as WithContext).context;
}

export function setContext(req: IncomingMessage, context: RequestContext): void {
  (req as WithContext).context = context;
}
