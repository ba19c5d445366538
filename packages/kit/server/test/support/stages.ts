import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import { pino } from 'pino';
import { begin } from '../../src/pipeline/begin.ts';
import { errors } from '../../src/pipeline/errors.ts';
import { exchangeOf, type Match } from '../../src/pipeline/exchange.ts';
import { listen } from './listen.ts';

/** Serves requests that meet `stages` as ones for the operation that `idOf` says. Resolves to the origin. */
export function serveStages(idOf: (req: Request) => string, ...stages: RequestHandler[]): Promise<string> {
  const match: RequestHandler = (req, _res, next) => {
    exchangeOf(req).match = { kind: 'operation', operationId: idOf(req), pathParams: {} } as Match;
    next();
  };
  const leave: ErrorRequestHandler = (error, req, _res, next) => {
    // What follows knows the contract's own operations alone.
    exchangeOf(req).match = { kind: 'outside' };
    next(error);
  };
  const onError = errors(pino({ enabled: false }), { failed: () => undefined });
  return listen(express().use(begin(), match, ...stages, leave, onError));
}
