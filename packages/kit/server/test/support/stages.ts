import express, { type ErrorRequestHandler, type Request, type RequestHandler } from 'express';
import { pino } from 'pino';
import type { Operation } from '@kit/contract';
import { openContext } from '../../src/pipeline/open-context.ts';
import { errors } from '../../src/pipeline/errors.ts';
import { contextOf } from '../../src/pipeline/request-context.ts';
import { createFlushAtEndOfTick } from '../../src/pipeline/flush-at-end-of-tick.ts';
import { createStreams } from '../../src/pipeline/streams.ts';
import { listen } from './listen.ts';
import { contract } from '../library/library.ts';
import { keyFormat } from '../library/service.ts';

/** Serves requests that meet `stages` as ones for the operation that `idOf` says. Resolves to the origin. */
export function serveStages(idOf: (req: Request) => string, ...stages: RequestHandler[]): Promise<string> {
  const match: RequestHandler = (req, _res, next) => {
    const operationId = idOf(req);
    const operation = contract.operations[operationId] as Operation;
    contextOf(req).match = { kind: 'operation', operationId, operation, pathParams: {} };
    next();
  };
  const leave: ErrorRequestHandler = (error, req, _res, next) => {
    // What follows knows the contract's own operations alone.
    contextOf(req).match = { kind: 'outside' };
    next(error);
  };
  const state = { keyFormat, streams: createStreams(), flushAtEndOfTick: createFlushAtEndOfTick() };
  const onError = errors(pino({ enabled: false }), { failed: () => undefined });
  return listen(express().use(openContext(state), match, ...stages, leave, onError));
}
