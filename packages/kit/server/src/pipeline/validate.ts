import type { Contract } from '@contract-kit/core';
import { IDEMPOTENCY_KEY } from '@contract-kit/core/http';
import type { Model } from '@contract-kit/core/model';
import type { RequestHandler } from 'express';
import { ApiError, invalidRequest } from '../http/api-error.ts';
import { createBodyReaders, type ReadBody } from '../validation/request-body.ts';
import { createParameterReaders, type ParameterValues } from '../validation/request-validator.ts';
import { sentSchemas } from '../validation/sent-schemas.ts';
import { rejectionOf, violationsOf } from '../validation/violations.ts';
import { requestContextOf } from './request-context.ts';
import { fingerprintOf } from './safe-repeats.ts';

/** Validates parameters and body, with functions that are compiled for each operation. Throws if one cannot be compiled. */
export async function validate(
  { basePath }: Pick<Contract, 'basePath'>,
  model: Model,
): Promise<RequestHandler> {
  const compile = sentSchemas(model.schemas);
  const readers = await createParameterReaders(model, basePath, compile);
  const bodyReaders = createBodyReaders(model, compile);
  return async (req, res, next) => {
    const context = requestContextOf(req);
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
    if (req.headers[IDEMPOTENCY_KEY] !== undefined && match.operation.idempotencyKey !== undefined)
      context.fingerprint = fingerprintOf(req, context.body);
    let read: ReadBody | undefined;
    let unread: ApiError | undefined;
    try {
      read = bodyReaders.get(operationId)?.(sent);
    } catch (error) {
      unread = unreadBody(error);
    }
    let values: ParameterValues;
    try {
      const reading = readParameters(req, res, pathParams);
      values = reading instanceof Promise ? await reading : reading;
    } catch (error) {
      const [ofParameters, ofBody] = [violationsOf(error), unread?.violations ?? read?.check() ?? []];
      throw ofBody.length === 0 ? error : rejectionOf([...ofParameters, ...ofBody]);
    }
    if (unread) throw unread;
    const violations = read?.check() ?? [];
    if (violations.length > 0) throw rejectionOf(violations);
    const { path, query, headers, cookies } = values;
    context.input = { path, query, headers, cookies, body: read?.body };
    next();
  };
}

/** The rejection of a request whose body cannot be read, with a violation. Throws every other error. */
function unreadBody(error: unknown): ApiError {
  if (!(error instanceof ApiError) || error.code !== 'invalid_request') throw error;
  const fault = error.message.replace(/\.$/, '');
  const [, message = `cannot be read: ${fault}`] = /^The body (.*)$/.exec(fault) ?? [];
  return error.violations.length > 0 ? error : invalidRequest(fault, [{ pointer: '', message }]);
}
