import type { RequestHandler } from 'express';

/**
 * One request handler that runs `stages` one after the other, until one replies or fails. Express does the same with
 * a layer each, but matches the path and wraps the call anew for every one of them, which made up a third of its cost.
 */
export function inOrder(...stages: readonly RequestHandler[]): RequestHandler {
  return (req, res, done) => {
    let index = 0;
    const next = (error?: unknown): void => {
      const stage = stages[index];
      index += 1;
      if (error || stage === undefined) {
        done(error);
        return;
      }
      try {
        const waiting: unknown = stage(req, res, next);
        if (waiting instanceof Promise) waiting.catch(done);
      } catch (thrown) {
        done(thrown);
      }
    };
    next();
  };
}
