import type { ErrorRequestHandler, RequestHandler } from 'express';

/** Runs `stages` in order until one responds or fails. Express would match the path again for each stage. */
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
