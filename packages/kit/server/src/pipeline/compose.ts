import type { ErrorRequestHandler, RequestHandler } from 'express';

/**
 * One request handler that runs `stages` one after the other, until one responds or fails, which `onError` responds to.
 * Express does the same with a layer each, but matches the path anew for every one of them.
 */
export function compose(stages: readonly RequestHandler[], onError: ErrorRequestHandler): RequestHandler {
  return (req, res, done) => {
    let index = 0;
    const fail = (error: unknown): void => {
      const responding: unknown = onError(error, req, res, done);
      if (responding instanceof Promise) responding.catch(done);
    };
    const next = (error?: unknown): void => {
      const stage = stages[index];
      index += 1;
      if (error || stage === undefined) {
        if (error) fail(error);
        else done();
        return;
      }
      try {
        const waiting: unknown = stage(req, res, next);
        if (waiting instanceof Promise) waiting.catch(fail);
      } catch (thrown) {
        fail(thrown);
      }
    };
    next();
  };
}
