import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { ApiError, pipelineError, serviceUnavailable } from '../http/api-error.ts';
import type { DatabaseHealth } from '../database/health.ts';
import { StoreUnavailable } from '../database/store-unavailable.ts';
import { respondWithError } from './respond.ts';
import { contextOf } from './request-context.ts';

/** Whatever nothing has responded to. */
export function notFound(): RequestHandler {
  return () => {
    throw pipelineError('not_found');
  };
}

/** Turns everything that was thrown into an Error object. What nobody has foreseen is logged whole. */
export function errors(log: Logger, health: Pick<DatabaseHealth, 'failed'>): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const apiError = apiErrorOf(error);
    // A refusal has its line in the access log.
    if (error instanceof StoreUnavailable) health.failed(error);
    else if (!(error instanceof ApiError)) {
      log.error({ err: error, requestId: contextOf(req).requestId, code: apiError.code }, apiError.code);
    }
    if (res.headersSent) {
      // Half a response must not look like a whole one.
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
