import { errorTexts } from '@contract-kit/core/errors';
import type { RequestHandler } from 'express';
import { ApiError } from '../http/api-error.ts';
import { respond } from './respond.ts';
import { requestContextOf } from './request-context.ts';

/** Responds without an operation: to errors of `route`, OPTIONS, two keys, and a key that could not be checked. */
export function respondEarly(): RequestHandler {
  return (req, res, next) => {
    const { match, caller } = requestContextOf(req);
    if (match.kind === 'rejected') throw match.error;
    if (match.kind === 'options') {
      return respond(req, res, { status: 204, headers: { Allow: match.allow } });
    }
    if (caller?.kind === 'address' && caller.reason === 'ambiguous') {
      throw new ApiError('invalid_request', errorTexts.moreThanOne(caller.what));
    }
    // The key may be valid, so not 401.
    if (caller?.kind === 'address' && caller.reason === 'unchecked') throw caller.cause;
    next();
    return undefined;
  };
}
