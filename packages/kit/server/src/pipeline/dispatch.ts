import type { Contract } from '@kit/contract';
import { exampleHeader } from '@kit/contract/pipeline-headers';
import type { RequestHandler } from 'express';
import type { ActiveKey } from '../keys/key-store.ts';
import type { ValidInput } from '../validation/request-validator.ts';
import { contextOf } from './request-context.ts';
import { pipelineError } from '../http/api-error.ts';
import { respond, type ResponseContent } from './respond.ts';
import { mapMaybeAsync } from './map-maybe-async.ts';

export type AnyHandler = (
  input: ValidInput & { readonly caller: ActiveKey | undefined },
) => ResponseContent | Promise<ResponseContent>;

/** The handler of an operation that is not implemented yet. It responds with 501, or with an example in a demonstration. */
export function notYet(): never {
  throw pipelineError('not_implemented');
}

/** Passes the validated request to its operation's handler, or responds with its entry in `examples`. */
export function dispatch(
  { operations }: Contract,
  handlers: Readonly<Record<string, AnyHandler>>,
  examples: Readonly<Record<string, ResponseContent>> = {},
): RequestHandler {
  for (const operationId of Object.keys(operations)) {
    if (typeof handlers[operationId] !== 'function')
      throw new Error(`the operation ${operationId} has no handler`);
  }
  return (req, res, next) => {
    const { match, caller, input, headers: always } = contextOf(req);
    if (match.kind !== 'operation') {
      next();
      return undefined;
    }
    const handle = handlers[match.operationId];
    if (!input || !handle) throw new Error(`a request for ${match.operationId} was not validated`);
    const example = examples[match.operationId];
    if (example) {
      always[exampleHeader] = 'true';
      return respond(req, res, example);
    }
    const key = caller?.kind === 'key' ? caller.key : undefined;
    const { path, query, headers, cookies, body } = input;
    const answer = handle({ path, query, headers, cookies, body, caller: key });
    return mapMaybeAsync(answer, (result) => respond(req, res, result));
  };
}
