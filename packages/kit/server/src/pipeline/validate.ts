import { operations, type Operation } from '@petstore/contract';
import { document } from '@petstore/contract/document';
import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler } from 'express';
import { invalidRequest, pipelineError } from '../http/api-error.ts';
import { JSON_TYPE } from '../http/json-text.ts';
import { createBodyValidator } from '../validation/body-validator.ts';
import { roundedNumberIn } from '../validation/exact-number.ts';
import { createRequestValidator } from '../validation/request-validator.ts';
import { exchangeOf } from './exchange.ts';

/** Holds parameters and body against the contract. Throws when the contract cannot be used for that. */
export async function validate(): Promise<RequestHandler> {
  const validateRequest = await createRequestValidator();
  const validateBody = createBodyValidator(document);
  return async (req, _res, next) => {
    const exchange = exchangeOf(req);
    const { match } = exchange;
    if (match.kind === 'operation') {
      const { operationId } = match;
      const body = readBody(req.headers, operations[operationId].body, exchange.body);
      const input = await validateRequest(req, match);
      if (body !== undefined) validateBody(operationId, body);
      exchange.input = { path: input.path, query: input.query, headers: input.headers, body };
    }
    next();
  };
}

/** The parsed body; undefined where there is none and need not be. JSON is UTF-8 (RFC 8259 §8.1). */
function readBody(headers: IncomingHttpHeaders, expected: Operation['body'], bytes?: Buffer): unknown {
  if (!expected) return undefined;
  if (!bytes?.length) {
    if (expected === 'optional') return undefined;
    throw invalidRequest('The body is missing');
  }
  const mediaType = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== JSON_TYPE || !/^(identity)?$/i.test(headers['content-encoding'] ?? '')) {
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
