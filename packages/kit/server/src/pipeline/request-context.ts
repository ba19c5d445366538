import type { Operation } from '@kit/contract';
import type { IncomingMessage } from 'node:http';
import type { ApiError } from '../http/api-error.ts';
import type { ApiKeyFormat } from '../keys/api-key.ts';
import type { Caller } from '../keys/caller.ts';
import type { ErrorBodies } from '../validation/error-bodies.ts';
import type { ValidInput } from '../validation/request-validator.ts';
import type { FlushAtEndOfTick } from './flush-at-end-of-tick.ts';
import type { Streams } from './streams.ts';

/** What a request asks for. It is decided first and responded to later, after the limit has counted it. */
export type Match =
  | {
      readonly kind: 'operation';
      readonly operationId: string;
      readonly operation: Operation;
      /** The parameters in the path, percent-decoded. */
      readonly pathParams: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'options'; readonly allow: string }
  /** A malformed request may still be one to an operation. */
  | { readonly kind: 'refused'; readonly error: ApiError; readonly operationId?: string | undefined }
  /** Outside the API: the docs, the document, health and metrics. */
  | { readonly kind: 'outside' };

/** A response on its way out. */
export interface Outgoing {
  readonly status: number;
  readonly head: Record<string, string | number>;
  /** Whole, or a JSON array in batches: its elements without the brackets. */
  readonly body: string | Buffer | AsyncIterable<string> | undefined;
}

/** What the requests of one app have in common. */
export interface AppState {
  readonly keyFormat: ApiKeyFormat;
  readonly streams: Streams;
  readonly flushAtEndOfTick: FlushAtEndOfTick;
  readonly errorBodies: ErrorBodies;
}

/** One request and what the stages of the pipeline have found out about it so far. */
export interface RequestContext {
  readonly app: AppState;
  readonly requestId: string;
  /** Where it comes from. */
  readonly ip: string | undefined;
  /** `performance.now()` when the request arrived, in milliseconds. */
  readonly startedAt: number;
  /** Headers that every response to this request carries, whichever stage writes it. */
  readonly headers: Record<string, string>;
  match: Match;
  /** The trace that the request belongs to, 32 hexadecimal digits, where it has one. */
  traceId?: string;
  caller?: Caller;
  /** The code of the error that was responded with. */
  errorCode?: string;
  /** The bytes of the request's body, where its operation has one and the request too. */
  body?: Buffer;
  /** The request as its handler is given it, once it is validated. */
  input?: ValidInput;
  /** Holds a response against the contract and returns what is to be written; unset if responses are not checked. */
  validateResponse?: (outgoing: Outgoing) => Outgoing;
}

export function operationIdOf(context: RequestContext): string | undefined {
  return context.match.kind === 'operation' ? context.match.operationId : undefined;
}

type WithContext = IncomingMessage & { context: RequestContext };

/** The context that `openContext` opened for `req`. */
export function contextOf(req: IncomingMessage): RequestContext {
  return (req as WithContext).context;
}

export function setContext(req: IncomingMessage, context: RequestContext): void {
  (req as WithContext).context = context;
}
