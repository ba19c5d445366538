import { operations, type OperationId } from '@petstore/contract';
import type { RequestHandler } from 'express';
import type { ActiveKey } from '../keys/key-store.ts';
import type { ValidInput } from '../validation/request-validator.ts';
import { exchangeOf } from './exchange.ts';
import type { Handlers } from './handler.ts';
import { reply, type Reply } from './reply.ts';
import { whenKnown } from './when-known.ts';

type AnyHandler = (input: ValidInput & { readonly caller: ActiveKey | undefined }) => Reply | Promise<Reply>;

/** Hands the validated request to its operation's handler and writes what that returns. */
export function dispatch(handlers: Handlers): RequestHandler {
  // Which handler belongs to which input is checked where handlers are written; here any one meets any request.
  const byId = handlers as unknown as Record<OperationId, AnyHandler>;
  for (const operationId of Object.keys(operations)) {
    if (typeof byId[operationId as OperationId] !== 'function')
      throw new Error(`the operation ${operationId} has no handler`);
  }
  return (req, res, next) => {
    const { match, caller, input } = exchangeOf(req);
    if (match.kind !== 'operation') {
      next();
      return undefined;
    }
    if (!input) throw new Error(`a request for ${match.operationId} was not validated`);
    const key = caller?.kind === 'key' ? caller.key : undefined;
    const { path, query, headers, body } = input;
    const answer = byId[match.operationId]({ path, query, headers, body, caller: key });
    return whenKnown(answer, (result) => reply(req, res, result));
  };
}
