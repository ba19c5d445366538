import type { Request, Response } from 'express';
import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import { acceptedType } from '../http/choose-type.ts';
import type { ActiveKey } from '../keys/key-store.ts';
import {
  requestContextOf as requestContextOf,
  operationIdOf,
  type RequestContext,
} from './request-context.ts';

/**
 * The second argument of a handler: its request, apart from the declared input.
 *
 * @example
 * async cancelLoan({ path: { loanId } }, { log, signal }) {
 *   await fetch(`${shelves}/${loanId}`, { method: 'DELETE', signal });
 *   log.info({ loanId }, 'taken back from the shelves');
 *   return { status: 204 };
 * }
 */
export interface HandlerContext {
  /**
   * The service's pino logger with `requestId`, `operationId`, `keyId` if the request has a key, and `traceId` if it has
   * a trace. It never has the key.
   */
  readonly log: Logger;
  /** The `X-Request-Id` of the response. */
  readonly requestId: string;
  /** The id of the request's trace (W3C Trace Context), if it has one. */
  readonly traceId: string | undefined;
  /**
   * Aborts when the client has closed the connection, and at the end of the grace period of a stop; that of a stream when
   * a stop begins. It also aborts when the caller may no longer have the response, such as when the key is revoked: of a
   * GET, HEAD or QUERY, and of any response that has begun. After a complete response it never aborts. Its reason is an
   * AbortError: a handler that rejects with it needs no other error.
   */
  readonly signal: AbortSignal;
  /** All headers of the request, with names in lower case, as Node.js gives them. */
  readonly headers: IncomingHttpHeaders;
  /** The IP address of the client, as in the access log: behind TRUST_PROXY that of `X-Forwarded-For`. */
  readonly address: string | undefined;
  /** The key of the request, or who `authenticate` found; undefined if the operation is open and none was sent. */
  readonly caller: ActiveKey | undefined;
  /**
   * The media type of `types` that the request prefers by its `Accept`; undefined if it takes none of them.
   *
   * @example
   * const type = accepts('text/csv', 'application/pdf') ?? 'text/csv';
   * return { status: 200, headers: { 'Content-Type': type }, body: await reportAs(type) };
   */
  readonly accepts: <Type extends string>(...types: readonly Type[]) => Type | undefined;
  /** `res.locals` of Express, which `middleware` may fill. */
  readonly locals: Record<string, unknown>;
}

/** Makes `log` and `signal` when they are first read, so that other handlers do not pay for them. */
export class LazyContext implements HandlerContext {
  readonly #req: Request;
  readonly #res: Response;
  #log: Logger | undefined;

  constructor(req: Request, res: Response) {
    this.#req = req;
    this.#res = res;
  }

  get log(): Logger {
    return (this.#log ??= logOf(this.#req));
  }

  get requestId(): string {
    return requestContextOf(this.#req).requestId;
  }

  get traceId(): string | undefined {
    return requestContextOf(this.#req).traceId;
  }

  get signal(): AbortSignal {
    return signalOf(requestContextOf(this.#req), this.#res);
  }

  get headers(): IncomingHttpHeaders {
    return this.#req.headers;
  }

  get address(): string | undefined {
    return requestContextOf(this.#req).ip;
  }

  get caller(): ActiveKey | undefined {
    const { caller } = requestContextOf(this.#req);
    return caller?.kind === 'key' ? caller.key : undefined;
  }

  get accepts(): HandlerContext['accepts'] {
    const { accept } = this.#req.headers;
    return (...types) => acceptedType(accept, types);
  }

  get locals(): Record<string, unknown> {
    return this.#res.locals;
  }
}

/**
 * The context of a request in middleware and in routes of `extend`, as handlers get it.
 *
 * @example
 * const audit: RequestHandler = (req, _res, next) => {
 *   const { log, caller } = contextOf(req);
 *   log.info({ owner: caller?.owner }, 'asked');
 *   next();
 * };
 */
export function contextOf(req: Request): HandlerContext {
  const { res } = req;
  if (!res) throw new Error('contextOf needs a request that the service has taken');
  return new LazyContext(req, res);
}

function logOf(req: Request): Logger {
  const context = requestContextOf(req);
  const { app, requestId, traceId, caller } = context;
  return app.log.child({
    requestId,
    ...(traceId !== undefined && { traceId }),
    operationId: operationIdOf(context),
    ...(caller?.kind === 'key' && { keyId: caller.key.id }),
  });
}

/** Node.js closes the response with its connection, which the end of the grace period cuts. */
function signalOf(context: RequestContext, res: Response): AbortSignal {
  if (context.leaving) return context.leaving.signal;
  const leaving = (context.leaving = new AbortController());
  const abort = () => {
    if (!res.writableFinished) leaving.abort();
  };
  if (res.closed) abort();
  else res.once('close', abort);
  return leaving.signal;
}

/** Aborts the `signal` of a handler, also if it is read later. */
export function abortSignal(context: RequestContext): void {
  (context.leaving ??= new AbortController()).abort();
}
