import { operations, type OperationId } from '@petstore/contract';
import type { Request, RequestHandler } from 'express';
import { reply, type Reply } from './reply.ts';
import type { ActiveKey } from '../keys/key-store.ts';
import type { Handlers } from './handler.ts';
import { whenKnown } from './when-known.ts';
import { exchangeOf } from './exchange.ts';

interface AnyInput {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
  caller: ActiveKey | undefined;
}

/** Hands the validated request to its operation's handler and writes what that answers. */
export function dispatch(handlers: Handlers): RequestHandler {
  // Which handler belongs to which input is checked where handlers are written; here any one meets any request.
  const byId = handlers as unknown as Record<OperationId, (input: AnyInput) => Reply | Promise<Reply>>;
  for (const operationId of Object.keys(operations)) {
    if (typeof byId[operationId as OperationId] !== 'function')
      throw new Error(`the operation ${operationId} has no handler`);
  }
  return (req, res, next) => {
    const { match } = exchangeOf(req);
    if (match.kind !== 'operation') {
      next();
      return undefined;
    }
    return whenKnown(byId[match.operationId](inputOf(req, match.operationId)), (answer) =>
      reply(req, res, answer),
    );
  };
}

function inputOf(req: Request, operationId: OperationId): AnyInput {
  const { parameters } = operations[operationId];
  const { caller } = exchangeOf(req);
  const { openapi } = req as Request & { openapi?: { pathParams?: Record<string, unknown> } };
  return {
    path: exact(openapi?.pathParams ?? {}, parameters.path),
    query: exact(req.query, parameters.query),
    body: req.body as unknown,
    caller: caller?.kind === 'key' ? caller.key : undefined,
  };
}

/** int64 values arrive as validated strings, and leave as bigint. */
function exact(
  values: Record<string, unknown>,
  formats: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      formats[name] === 'int64' ? BigInt(value as string) : value,
    ]),
  );
}
