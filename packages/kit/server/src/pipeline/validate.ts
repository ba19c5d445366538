import type { Contract } from '@kit/contract';
import type { RequestHandler } from 'express';
import { createBodyReader } from '../validation/request-body.ts';
import { createRequestValidator } from '../validation/request-validator.ts';
import { contextOf } from './request-context.ts';

/** Validates parameters and body. Throws if the contract cannot be compiled. */
export async function validate(contract: Contract): Promise<RequestHandler> {
  const validateRequest = await createRequestValidator(contract);
  const readBody = createBodyReader(contract);
  return async (req, _res, next) => {
    const context = contextOf(req);
    const { match } = context;
    if (match.kind === 'operation') {
      const { 'content-type': contentType = '', 'content-encoding': contentEncoding = '' } = req.headers;
      const { body, check } = await readBody(match.operationId, {
        contentType,
        contentEncoding,
        bytes: context.body,
      });
      const input = await validateRequest(req, match);
      check();
      context.input = { ...input, body };
    }
    next();
  };
}
