import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { ApiError, invalidRequest, pipelineError, serviceUnavailable } from '../http/api-error.ts';
import type { DatabaseHealth } from '../database/health.ts';
import { NulError } from '../database/nul-error.ts';
import { StoreUnavailable } from '../database/store-unavailable.ts';
import { respondWithError } from './respond.ts';
import { contextOf } from './request-context.ts';

/** Makes nginx repeat the request on another instance, which may have its database: see deploy/nginx.conf. */
const NEXT_INSTANCE = { 'X-Accel-Redirect': '@next_instance' };
/** RFC 9110 §9.2.2: a repeat of these has no further effect. */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** The last middleware: nothing has responded. */
export function notFound(): RequestHandler {
  return () => {
    throw pipelineError('not_found');
  };
}

/** Turns every thrown error into an Error object. Unexpected errors are logged whole. */
export function errors(log: Logger, health: Pick<DatabaseHealth, 'failed'>): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const apiError = apiErrorOf(error);
    // The access log has expected errors.
    if (error instanceof StoreUnavailable) health.failed(error);
    else if (!(error instanceof ApiError || error instanceof NulError)) {
      log.error({ err: error, requestId: contextOf(req).requestId, code: apiError.code }, apiError.code);
    }
    if (res.headersSent) {
      // A partial response must not look complete. The log and the metrics have the error.
      Object.assign(contextOf(req), { cutBy: apiError.status, errorCode: apiError.code });
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

/** Whether a proxy can ask another instance, and the request is idempotent or no handler was called. */
function mayBeRepeated(req: Request): boolean {
  const isHarmless = IDEMPOTENT.has(req.method) || contextOf(req).input === undefined;
  return isHarmless && req.headers['x-next-instance'] !== undefined;
}

function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StoreUnavailable) return serviceUnavailable();
  if (error instanceof NulError)
    return invalidRequest('The request has a text with U+0000, which cannot be stored: remove it');
  return pipelineError('internal_error');
}
