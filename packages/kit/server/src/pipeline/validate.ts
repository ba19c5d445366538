import type { Contract } from '@kit/contract';
import type { RequestHandler } from 'express';
import { createBodyReader } from '../validation/request-body.ts';
import { createRequestValidator } from '../validation/request-validator.ts';
import { mapMaybeAsync } from './map-maybe-async.ts';
import { contextOf } from './request-context.ts';

/** Validates parameters and body. Throws if the contract cannot be compiled. */
export async function validate(contract: Contract): Promise<RequestHandler> {
  const validateRequest = await createRequestValidator(contract);
  const readBody = createBodyReader(contract);
  return (req, res, next) => {
    const context = contextOf(req);
    const { match } = context;
    if (match.kind !== 'operation') {
      next();
      return undefined;
    }
    const { 'content-type': contentType = '', 'content-encoding': contentEncoding = '' } = req.headers;
    const reading = readBody(match.operationId, { contentType, contentEncoding, bytes: context.body });
    return mapMaybeAsync(reading, ({ body, check }) =>
      mapMaybeAsync(validateRequest(req, res, match), ({ path, query, headers, cookies }) => {
        check();
        context.input = { path, query, headers, cookies, body };
        next();
      }),
    );
  };
}
