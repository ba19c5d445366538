import { operations } from '@petstore/contract';
import { json, type Request, type RequestHandler, type Response } from 'express';
import { ApiError } from '../http/api-error.ts';
import { createRequestValidator } from '../validation/request-validator.ts';
import { exchangeOf } from './exchange.ts';

const JSON_TYPE = 'application/json';
const MAX_BODY_BYTES = 100_000;

/**
 * Reads the body where the operation has one, and holds parameters and body against the contract. Rejects when the
 * contract cannot be used for that.
 */
export async function validate(): Promise<RequestHandler> {
  const validateRequest = await createRequestValidator();
  return async (req, res, next) => {
    const exchange = exchangeOf(req);
    const { match } = exchange;
    if (match.kind === 'operation') {
      await readBody(req, res, operations[match.operationId].body !== undefined);
      exchange.input = await validateRequest(req, match);
    }
    next();
  };
}

const parseJson = json({ limit: MAX_BODY_BYTES });

/**
 * The validator remembers a compiled validator for every Content-Type it meets, and parses it slowly: so it meets one,
 * or none.
 */
async function readBody(req: Request, res: Response, hasBody: boolean): Promise<void> {
  const sent = req.headers['content-type'];
  if (sent === undefined) return;
  delete req.headers['content-type'];
  if (!hasBody) return;
  if (sent.split(';', 1)[0]?.trim().toLowerCase() !== JSON_TYPE) {
    throw new ApiError('unsupported_media_type', `The body must be ${JSON_TYPE}.`);
  }
  req.headers['content-type'] = JSON_TYPE;
  const error = await new Promise<unknown>((resolve) => {
    parseJson(req, res, resolve);
  });
  if (error) {
    throw new ApiError('invalid_request', `The body must be valid JSON of at most ${MAX_BODY_BYTES} bytes.`);
  }
}
