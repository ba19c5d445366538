import type { OperationId } from '@petstore/contract';
import type { Caller } from '../keys/caller.ts';
import type { Match } from '../pipeline/match.ts';
import type { Page } from './reply-pages.ts';

/** One request and what the stages of the pipeline have found out about it so far. */
export interface Exchange {
  readonly requestId: string;
  /** `performance.now()` when the request arrived, in milliseconds. */
  readonly startedAt: number;
  /** Headers that every reply to this request carries, whichever stage writes it. */
  readonly headers: Record<string, string>;
  match: Match;
  caller?: Caller;
  /** The code of the error that the request was answered with. */
  errorCode?: string;
  /** The request is HEAD and is being validated and handled as GET. */
  headOnly?: boolean;
  /** Whether elements of a streamed list keep to the contract; unset in production, where nothing is checked. */
  checkElements?: (page: Page) => boolean;
}

export function operationIdOf(exchange: Exchange): OperationId | undefined {
  return exchange.match.kind === 'operation' ? exchange.match.operationId : undefined;
}

declare module 'express-serve-static-core' {
  interface Request {
    exchange: Exchange;
  }
}
