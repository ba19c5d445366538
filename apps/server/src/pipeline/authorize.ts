import { policies, type Policy } from '@petstore/contract';
import { document } from '@petstore/contract/document';
import type { RequestHandler } from 'express';
import { ApiError } from '../http/api-error.ts';
import type { Caller } from '../keys/caller.ts';
import { exchangeOf } from './exchange.ts';

type Requirements = Readonly<Record<string, Pick<Policy, 'security'>>>;

/** The security schemes that `identify` looks for, and who satisfies them. */
const identified: Readonly<Record<string, (caller: Caller | undefined) => boolean>> = {
  apiKey: (caller) => caller?.kind === 'key',
};

/**
 * Refuses with 401 whoever satisfies none of the operation's alternatives whole; an operation without any is open to
 * everyone. Throws at the start where the contract asks for a scheme that nobody looks for.
 */
export function authorize(requirements: Requirements = policies): RequestHandler {
  for (const [operationId, { security }] of Object.entries(requirements)) {
    const unknown = security.flat().find((scheme) => !(scheme in identified && isBearer(scheme)));
    if (unknown !== undefined)
      throw new Error(`${operationId} asks for ${unknown}, which is no security scheme that is looked for`);
  }
  return (req, _res, next) => {
    const { match, caller } = exchangeOf(req);
    if (match.kind === 'operation') {
      const alternatives = requirements[match.operationId]?.security;
      if (!alternatives) throw new Error(`nothing is known of the security of ${match.operationId}`);
      const isAdmitted =
        alternatives.length === 0 ||
        alternatives.some((schemes) => schemes.every((scheme) => identified[scheme]?.(caller)));
      if (!isAdmitted) throw unauthorized(caller);
    }
    next();
  };
}

function isBearer(name: string): boolean {
  const { components } = document as { components?: { securitySchemes?: Record<string, object> } };
  const scheme: { type?: string; scheme?: string } = components?.securitySchemes?.[name] ?? {};
  return scheme.type === 'http' && scheme.scheme?.toLowerCase() === 'bearer';
}

/** RFC 6750 §3: the challenge says `invalid_token` only where a token was sent. */
function unauthorized(caller: Caller | undefined): ApiError {
  return caller?.kind === 'address' && caller.reason === 'invalid'
    ? new ApiError('unauthorized', 'The API key is invalid: unknown or revoked.', {
        'WWW-Authenticate': 'Bearer realm="petstore", error="invalid_token"',
      })
    : new ApiError('unauthorized', 'The API key is missing: send it as `Authorization: Bearer <API_KEY>`.', {
        'WWW-Authenticate': 'Bearer realm="petstore"',
      });
}
