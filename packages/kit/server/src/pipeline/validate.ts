import type { Contract, Operation } from '@kit/contract';
import { essenceOf, isJson } from '@kit/contract/media-type';
import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';
import { invalidRequest, pipelineError } from '../http/api-error.ts';
import { JSON_TYPE } from '../http/raw-json.ts';
import { createBodyValidator } from '../validation/body-validator.ts';
import { roundedNumberIn } from '../validation/exact-number.ts';
import { createRequestValidator } from '../validation/request-validator.ts';
import { contextOf } from './request-context.ts';

/** Holds parameters and body against the contract. Throws when the contract cannot be used for that. */
export async function validate(contract: Contract): Promise<RequestHandler> {
  const validateRequest = await createRequestValidator(contract);
  const validateBody = createBodyValidator(contract);
  return async (req, _res, next) => {
    const context = contextOf(req);
    const { match } = context;
    if (match.kind === 'operation') {
      const { operationId, operation } = match;
      const body = readBody(req.headers, operation, context.body);
      const input = await validateRequest(req, match);
      if (body !== undefined) validateBody(operationId, body);
      context.input = { path: input.path, query: input.query, headers: input.headers, body };
    }
    next();
  };
}

/** The parsed body; undefined where there is none and need not be. JSON is UTF-8 (RFC 8259 §8.1). */
function readBody(
  headers: IncomingHttpHeaders,
  { body: expected, bodyType: isOtherJson }: Operation,
  bytes?: Buffer,
): unknown {
  if (!expected) return undefined;
  if (!bytes?.length) {
    if (expected === 'optional') return undefined;
    throw invalidRequest('The body is missing');
  }
  const mediaType = essenceOf(headers['content-type'] ?? '');
  if (
    !(mediaType === JSON_TYPE || (isOtherJson && isJson(mediaType))) ||
    !/^(identity)?$/i.test(headers['content-encoding'] ?? '')
  ) {
    throw pipelineError('unsupported_media_type');
  }
  let text: string;
  let body: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    body = JSON.parse(text);
  } catch {
    throw invalidRequest('The body must be valid JSON');
  }
  const rounded = roundedNumberIn(text);
  if (rounded !== undefined)
    throw invalidRequest(`The number ${rounded.slice(0, 40)} in the body would be rounded`);
  return body;
}
