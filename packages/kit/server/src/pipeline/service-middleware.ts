import type { RequestHandler } from 'express';
import { requestContextOf } from './request-context.ts';

/** The service's middleware as stages, for requests of an operation. */
export function serviceMiddleware(middleware: readonly RequestHandler[] = []): RequestHandler[] {
  if (middleware.length === 0) return [];
  return [writeCommonHeaders(), ...middleware].map((handle): RequestHandler => (req, res, next) => {
    if (requestContextOf(req).match.kind === 'operation') return handle(req, res, next);
    next();
    return undefined;
  });
}

/** Prepares `res` for something other than `respond` that may write it: sets the headers of every response. */
export function writeCommonHeaders(): RequestHandler {
  return (req, res, next) => {
    // Such as of a write after the end.
    res.on('error', (error) =>
      requestContextOf(req).app.log.error({ err: error }, 'a response could not be written'),
    );
    for (const [name, value] of Object.entries(requestContextOf(req).headers)) res.setHeader(name, value);
    next();
  };
}
