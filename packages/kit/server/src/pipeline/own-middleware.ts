import type { RequestHandler } from 'express';
import { contextOf } from './request-context.ts';

/** The service's middleware as stages, for requests of an operation. */
export function ownMiddleware(middleware: readonly RequestHandler[] = []): RequestHandler[] {
  if (middleware.length === 0) return [];
  return [writeCommonHeaders(), ...middleware].map((handle): RequestHandler => (req, res, next) => {
    if (contextOf(req).match.kind === 'operation') return handle(req, res, next);
    next();
    return undefined;
  });
}

/** Sets the headers of every response on `res`, in case something other than `respond` writes it. */
export function writeCommonHeaders(): RequestHandler {
  return (req, res, next) => {
    for (const [name, value] of Object.entries(contextOf(req).headers)) res.setHeader(name, value);
    next();
  };
}
