import type { ErrorRequestHandler, RequestHandler } from 'express';

/**
 * One request handler that runs `stages` one after the other, until one replies or fails, which `onError` replies to.
 * Express does the same with a layer each, but matches the path anew for every one of them.
 */
export function compose(stages: readonly RequestHandler[], onError: ErrorRequestHandler): RequestHandler {
  return (req, res, done) => {
    let index = 0;
    const fail = (error: unknown): void => {
      const replying: unknown = onError(error, req, res, done);
      if (replying instanceof Promise) replying.catch(done);
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
