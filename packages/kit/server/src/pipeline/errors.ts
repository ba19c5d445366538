import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { ApiError, pipelineError, serviceUnavailable } from '../http/api-error.ts';
import type { DatabaseHealth } from '../database/health.ts';
import { StoreUnavailable } from '../database/store-unavailable.ts';
import { respondWithError } from './respond.ts';
import { contextOf } from './request-context.ts';

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
    else if (!(error instanceof ApiError)) {
      log.error({ err: error, requestId: contextOf(req).requestId, code: apiError.code }, apiError.code);
    }
    if (res.headersSent) {
      // A partial response must not look complete.
      res.destroy();
      return undefined;
    }
    return respondWithError(req, res, apiError);
  };
}

function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StoreUnavailable) return serviceUnavailable();
  return pipelineError('internal_error');
}
