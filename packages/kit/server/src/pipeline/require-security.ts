import type { Contract } from '@kit/contract';
import type { Request, RequestHandler } from 'express';
import { ApiError } from '../http/api-error.ts';
import { contextOf } from './request-context.ts';
import type { Scheme, Schemes } from './schemes.ts';

/**
 * Rejects a request with 401 if it satisfies none of the operation's alternatives, and with 403 if its key lacks a scope.
 * An operation without security is open to everyone. Throws at the start if the contract requires an unsupported scheme.
 */
export function requireSecurity(
  { security, scopes = {}, name: realm }: Pick<Contract, 'security' | 'scopes' | 'name'>,
  schemes: Schemes,
): RequestHandler {
  const known = new Map(
    Object.entries(security).map(([operationId, allowed]) => {
      const alternatives = allowed.map((names) =>
        names.map((name) => {
          const scheme = schemes.get(name);
          if (!scheme)
            throw new Error(`${operationId} requires ${name}, which is not a supported security scheme`);
          return { ...scheme, scheme: name };
        }),
      );
      // Created once: there may be many requests without a key.
      return [operationId, { alternatives, missing: unauthorized(alternatives) }] as const;
    }),
  );
  return (req, _res, next) => {
    const { match, caller } = contextOf(req);
    if (match.kind === 'operation') {
      const required = known.get(match.operationId);
      if (!required) throw new Error(`the security of ${match.operationId} is unknown`);
      const { alternatives, missing } = required;
      const shown = caller?.kind === 'key' ? caller.schemes : [];
      const isSatisfied = (alternative: (typeof alternatives)[number]) =>
        alternative.every(({ scheme }) => shown.includes(scheme));
      if (alternatives.length > 0 && !alternatives.some(isSatisfied)) {
        const isInvalid = caller?.kind === 'address' && caller.reason === 'invalid';
        // Not thrown: throwing takes longer than the rest of this stage.
        next(isInvalid ? unauthorized(alternatives, req) : missing);
        return;
      }
      const wanted = scopes[match.operationId]?.filter((_scopes, index) =>
        isSatisfied(alternatives[index] ?? []),
      );
      const granted = caller?.kind === 'key' ? caller.key.scopes : undefined;
      if (wanted && !wanted.some((alternative) => alternative.every((scope) => granted?.includes(scope))))
        throw insufficientScope(wanted[0] ?? [], realm);
    }
    next();
  };
}

/** RFC 6750 §3.1. */
function insufficientScope(scopes: readonly string[], realm: string): ApiError {
  // Other characters of a scope would end the quotes.
  const scope = scopes.join(' ').replaceAll(/[^ !#-[\]-~]/g, '');
  return new ApiError(
    'insufficient_scope',
    `The API key lacks a scope that this operation requires: ${scope}.`,
    {
      'WWW-Authenticate': `Bearer realm="${realm}", error="insufficient_scope", scope="${scope}"`,
    },
  );
}

/** RFC 9110 §11.6.1: a challenge for each possible scheme. `invalid` is a request with a key, but no valid one. */
function unauthorized(alternatives: readonly (readonly Scheme[])[], invalid?: Request): ApiError {
  const isShown = ({ in: place, name, keyIn }: Scheme) =>
    place === 'header' && keyIn(String(invalid?.headers[name.toLowerCase()] ?? '')) !== undefined;
  const challenges = alternatives.flat().map((scheme) => scheme.challenge(isShown(scheme)));
  const forms = alternatives.map((alternative) =>
    alternative.map(({ form }) => `\`${form}\``).join(' with '),
  );
  const message = invalid
    ? 'The API key is invalid: unknown or revoked.'
    : `The API key is missing: send it as ${forms.join(' or ')}.`;
  return new ApiError('unauthorized', message, { 'WWW-Authenticate': [...new Set(challenges)].join(', ') });
}
