import { basePath, operations, type OperationId } from '@petstore/contract';
import type { RequestHandler } from 'express';
import { error as validatorErrors } from 'express-openapi-validator';
import type { ApiError } from '../http/api-error.ts';
import type { Caller } from '../keys/caller.ts';
import { run, type Validator } from '../validation/request-validator.ts';
import { exchangeOf } from './exchange.ts';

/** What the validator says of an operation whatever the request, and notes of it as `req.openapi`. */
interface Verdict {
  readonly note: object;
  readonly admitsKey: boolean;
  readonly admitsNobody: boolean;
}

/**
 * Stands in for the validator's first two steps. It would look for the operation of each request anew, compiling the
 * pattern of one path after the other, at a cost that grows with the contract, and put the same question about
 * security. `match` knows the operation, and the answer depends on it and on whether there is a key: so the validator is
 * asked at the start, once for each operation, and its verdicts are remembered.
 */
export async function rememberVerdicts(
  validator: Validator,
  refusal: (caller: Caller | undefined) => ApiError,
): Promise<RequestHandler> {
  const verdicts = new Map<OperationId, Verdict>();
  for (const operationId of Object.keys(operations) as OperationId[]) {
    verdicts.set(operationId, await ask(validator, operationId));
  }
  return (req, _res, next) => {
    const { match, caller } = exchangeOf(req);
    const verdict = match.kind === 'operation' && verdicts.get(match.operationId);
    if (!verdict) {
      next();
      return;
    }
    if (!(caller?.kind === 'key' ? verdict.admitsKey : verdict.admitsNobody)) throw refusal(caller);
    Object.assign(req, { openapi: { ...verdict.note, pathParams: { ...match.pathParams } } });
    next();
  };
}

async function ask({ find, secure }: Validator, operationId: OperationId): Promise<Verdict> {
  const { method, path } = operations[operationId];
  const target = basePath + path.replaceAll(/\{[^}]*\}/g, '-');
  const app = { enabled: () => true };
  const req = { method, path: target, originalUrl: target, baseUrl: '', app };
  await run(find, req);
  const { openapi: note } = req as { openapi?: { schema: { operationId?: string } } };
  if (note?.schema.operationId !== operationId)
    throw new Error(`express-openapi-validator does not find ${operationId} at ${method} ${target}`);

  const admits = (kind: Caller['kind'], headers: object) =>
    run(secure, { ...req, headers, exchange: { caller: { kind } } }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof validatorErrors.Unauthorized) return false;
        throw error;
      },
    );
  return {
    note,
    admitsKey: await admits('key', { authorization: 'bearer' }),
    admitsNobody: await admits('address', {}),
  };
}
