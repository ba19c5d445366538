import { operations } from '@petstore/contract';
import { json, type RequestHandler } from 'express';
import { error as validatorErrors } from 'express-openapi-validator';
import { ApiError } from '../http/api-error.ts';
import type { Caller } from '../keys/caller.ts';
import { inOrder } from './in-order.ts';
import { createValidator, EXACT_INT64 } from '../validation/request-validator.ts';
import { rememberVerdicts } from './verdicts.ts';
import { exchangeOf } from './exchange.ts';

const JSON_TYPE = 'application/json';
const MAX_BODY_BYTES = 100_000;

/**
 * Validates requests against the contract with express-openapi-validator: first that the operation's security is
 * satisfied, then its parameters. Rejects when the validator cannot work with the document.
 */
export async function createValidate({ tuned }: { tuned: boolean }): Promise<RequestHandler> {
  const validator = await createValidator({
    // The caller is known already. What is asked here is only whether the contract wants one.
    securityHandlers: { apiKey: (req) => exchangeOf(req).caller?.kind === 'key' },
  });
  const { find, secure, check } = validator;
  const first = tuned ? [await rememberVerdicts(validator, unauthorized)] : [find, secure];
  const validate = inOrder(treatHeadAsGet, ...first, readBody, check, restoreHead);
  return (req, res, next) => {
    if (exchangeOf(req).match.kind === 'operation') validate(req, res, next);
    else next();
  };
}

/** HEAD is validated as the GET it stands for. */
const treatHeadAsGet: RequestHandler = (req, _res, next) => {
  if (req.method === 'HEAD') {
    exchangeOf(req).headOnly = true;
    req.method = 'GET';
  }
  next();
};

const restoreHead: RequestHandler = (req, _res, next) => {
  if (exchangeOf(req).headOnly) req.method = 'HEAD';
  next();
};

const parseJson = json({ limit: MAX_BODY_BYTES });

/**
 * Reads the body where the contract has one. The validator remembers a compiled validator for every Content-Type it
 * meets, and parses it slowly: so it meets one, or none.
 */
const readBody: RequestHandler = (req, res, next) => {
  const { match } = exchangeOf(req);
  const hasBody = match.kind === 'operation' && operations[match.operationId].hasBody;
  const sent = req.headers['content-type'];
  if (sent !== undefined) delete req.headers['content-type'];
  if (!hasBody || sent === undefined) {
    next();
    return;
  }
  if (sent.split(';', 1)[0]?.trim().toLowerCase() !== JSON_TYPE) {
    throw new ApiError('unsupported_media_type', `The body must be ${JSON_TYPE}.`);
  }
  req.headers['content-type'] = JSON_TYPE;
  parseJson(req, res, (error?: unknown) => {
    next(
      error &&
        new ApiError('invalid_request', `The body must be valid JSON of at most ${MAX_BODY_BYTES} bytes.`),
    );
  });
};

/** Translates what the validator throws into an answer; undefined if `error` is not the validator's. */
export function answerToInvalid(error: unknown, caller: Caller | undefined): ApiError | undefined {
  if (error instanceof validatorErrors.Unauthorized) return unauthorized(caller);
  if (error instanceof validatorErrors.UnsupportedMediaType) {
    return new ApiError('unsupported_media_type', 'The operation does not accept a body of this media type.');
  }
  if (error instanceof validatorErrors.BadRequest) return new ApiError('invalid_request', messageOf(error));
  return undefined;
}

/** RFC 6750 §3: the challenge says `invalid_token` only where a token was sent. */
function unauthorized(caller: Caller | undefined): ApiError {
  const reason = caller?.kind === 'address' ? caller.reason : 'missing';
  return reason === 'invalid'
    ? new ApiError('unauthorized', 'The API key is invalid: unknown or revoked.', {
        'WWW-Authenticate': 'Bearer realm="petstore", error="invalid_token"',
      })
    : new ApiError('unauthorized', 'The API key is missing: send it as `Authorization: Bearer <API_KEY>`.', {
        'WWW-Authenticate': 'Bearer realm="petstore"',
      });
}

const LONGEST_MESSAGE = 300;

function messageOf({ message, errors }: InstanceType<typeof validatorErrors.BadRequest>): string {
  const [first] = errors ?? [];
  if (!first) return `${message.slice(0, LONGEST_MESSAGE)}.`;
  if (first.path.startsWith('/query/') && !first.message.startsWith('must'))
    return `${message.slice(0, LONGEST_MESSAGE)}.`;
  const name = first.path.split('/').at(-1) ?? '';
  const wrong = first.message.includes(EXACT_INT64) ? 'must be a 64-bit decimal integer' : first.message;
  return `${name} ${wrong}.`.slice(0, LONGEST_MESSAGE);
}
