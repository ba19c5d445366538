import type { Contract } from '@contract-kit/core';
import { IDEMPOTENCY_KEY, idempotencyKeyOf } from '@contract-kit/core/idempotency-key';
import type { RequestHandler } from 'express';
import { createBodyReaders } from '../validation/request-body.ts';
import { createParameterReaders, type ParameterValues } from '../validation/request-validator.ts';
import { rejectionOf, violationsOf } from '../validation/violations.ts';
import { contextOf } from './request-context.ts';
import { fingerprintOf } from './safe-repeats.ts';

/** Validates parameters and body, with functions that are compiled for each operation. Throws if one cannot be compiled. */
export async function validate(contract: Contract): Promise<RequestHandler> {
  const readers = await createParameterReaders(contract);
  const bodyReaders = createBodyReaders(contract);
  return async (req, res, next) => {
    const context = contextOf(req);
    const { match } = context;
    if (match.kind !== 'operation') {
      next();
      return;
    }
    const { operationId, pathParams } = match;
    const readParameters = readers.get(operationId);
    if (!readParameters) throw new Error(`${operationId} has no validator`);
    const {
      'content-type': contentType = '',
      'content-encoding': contentEncoding = '',
      'content-disposition': contentDisposition = '',
    } = req.headers;
    const sent = { contentType, contentEncoding, contentDisposition, chunks: context.body };
    // Before the body is read, which takes a form out.
    if (req.headers[IDEMPOTENCY_KEY] !== undefined && idempotencyKeyOf(match.operation) !== undefined)
      context.fingerprint = fingerprintOf(req, context.body);
    const body = bodyReaders.get(operationId)?.(sent);
    // A request without parameters and body waits for nothing.
    const read = body && (await body);
    let values: ParameterValues;
    try {
      const reading = readParameters(req, res, pathParams);
      values = reading instanceof Promise ? await reading : reading;
    } catch (error) {
      const [ofParameters, ofBody] = [violationsOf(error), read?.check() ?? []];
      throw ofBody.length === 0 ? error : rejectionOf([...ofParameters, ...ofBody]);
    }
    const violations = read?.check() ?? [];
    if (violations.length > 0) throw rejectionOf(violations);
    const { path, query, headers, cookies } = values;
    context.input = { path, query, headers, cookies, body: read?.body };
    next();
  };
}
