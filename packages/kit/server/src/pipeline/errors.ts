import { isSafe } from '@contract-kit/core/http';
import { pipelineErrors, errorTexts } from '@contract-kit/core/errors';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { ApiError, invalidRequest, pipelineError, serviceUnavailable } from '../http/api-error.ts';
import type { DatabaseHealth } from '../database/health.ts';
import { NulError } from '../database/nul-error.ts';
import { StoreUnavailable } from '../database/store-unavailable.ts';
import { IdentityUnavailable } from '../keys/identity-provider.ts';
import { respondWithError, type Rejection } from './respond.ts';
import { requestContextOf, type RequestContext } from './request-context.ts';

/** Makes nginx repeat the request on another instance, which may have its database: see deploy/nginx.conf. */
const NEXT_INSTANCE = { 'X-Accel-Redirect': '@next_instance' };

/** The last middleware: nothing has responded. */
export function notFound(): RequestHandler {
  return () => {
    throw pipelineError('not_found');
  };
}

/** Turns every thrown error into an Error object. Unexpected errors are logged whole. */
export function errors(log: Logger, health: Pick<DatabaseHealth, 'failed'>): ErrorRequestHandler {
  return (thrown: unknown, req, res, _next) => {
    if (isAbort(thrown) && res.closed) return undefined;
    const error = (isAbort(thrown) && !res.headersSent && requestContextOf(req).endedBy) || thrown;
    const rejection = rejectionOf(error, requestContextOf(req));
    if (rejection && !res.headersSent) return respondWithError(req, res, rejection);
    const apiError = apiErrorOf(error);
    // The access log has expected errors.
    if (error instanceof StoreUnavailable) health.failed(error);
    else if (!(error instanceof ApiError || error instanceof NulError)) {
      log.error(
        { err: error, requestId: requestContextOf(req).requestId, code: apiError.code },
        apiError.code,
      );
    }
    if (res.headersSent) {
      // A partial response must not look complete. The log and the metrics have the error.
      Object.assign(requestContextOf(req), { cutBy: apiError.status, errorCode: apiError.code });
      res.destroy();
      return undefined;
    }
    const { code, message, status, headers, violations } = apiError;
    const elsewhere = error instanceof StoreUnavailable && mayBeRepeated(req) ? NEXT_INSTANCE : {};
    return respondWithError(req, res, {
      code,
      message,
      status,
      headers: { ...headers, ...elsewhere },
      violations,
    });
  };
}

/** Whether a handler stopped because its `signal` aborted. If its client has left, the access log has 499. */
function isAbort(error: unknown): boolean {
  return (error as Error | undefined)?.name === 'AbortError';
}

/**
 * What middleware of own routes rejects a request with, such as a body that is no JSON: an error in the form of the package
 * http-errors.
 */
function rejectionOf(error: unknown, { match }: RequestContext): Rejection | undefined {
  if (match.kind !== 'outside' || match.isOfService !== true) return undefined;
  const { status = 0, expose, headers = {}, message = '' } = (error ?? {}) as Partial<HttpError>;
  if (expose !== true || status < 400 || status > 499) return undefined;
  const [code] = Object.entries(pipelineErrors).find(([, known]) => known.status === status) ?? [];
  return { code: (code ?? 'invalid_request') as Rejection['code'], message, status, headers };
}

interface HttpError extends Error {
  readonly status: number;
  /** Whether the client may see the message. */
  readonly expose: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** Whether a proxy can ask another instance, and the request is idempotent or cannot have had an effect. */
function mayBeRepeated(req: Request): boolean {
  // RFC 9110 §9.2.2.
  const isIdempotent = isSafe(req.method) || /^(PUT|DELETE)$/.test(req.method);
  const isHarmless = isIdempotent || requestContextOf(req).isHandled !== true;
  return isHarmless && req.headers['x-next-instance'] !== undefined;
}

function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StoreUnavailable || error instanceof IdentityUnavailable) return serviceUnavailable();
  if (error instanceof NulError) return invalidRequest(errorTexts.HAS_NUL);
  return pipelineError('internal_error');
}
