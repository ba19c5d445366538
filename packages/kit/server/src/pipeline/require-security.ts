import type { Contract } from '@contract-kit/core';
import { challengeOf, formOf } from '@contract-kit/core/challenge';
import { INVALID_KEY, missingKey } from '@contract-kit/core/pipeline-errors';
import type { Request, RequestHandler } from 'express';
import { ApiError } from '../http/api-error.ts';
import { contextOf } from './request-context.ts';
import type { Scheme, Schemes } from './schemes.ts';

/**
 * Rejects a request with 401 if it satisfies none of the operation's alternatives, and with 403 if its key lacks a scope,
 * by whichever scheme it was sent. An operation without security is open to everyone. Throws at the start if the contract
 * requires an unsupported scheme.
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
      const missing = unauthorized(alternatives, realm);
      return [
        operationId,
        { alternatives, missing, wanted: scopesOf(allowed, scopes[operationId]) },
      ] as const;
    }),
  );
  return (req, _res, next) => {
    const { match, caller } = contextOf(req);
    if (match.kind === 'operation') {
      const required = known.get(match.operationId);
      if (!required) throw new Error(`the security of ${match.operationId} is unknown`);
      const { alternatives, missing, wanted } = required;
      const shown = caller?.kind === 'key' ? caller.schemes : [];
      const isSatisfied = (alternative: (typeof alternatives)[number]) =>
        alternative.every(({ scheme }) => shown.includes(scheme));
      if (alternatives.length > 0 && !alternatives.some(isSatisfied)) {
        const invalid = caller?.kind === 'address' && caller.reason === 'invalid' ? caller : undefined;
        // Not thrown: throwing takes longer than the rest of this stage.
        next(invalid ? unauthorized(alternatives, realm, { req, why: invalid.why }) : missing);
        return;
      }
      if (wanted) {
        const granted = caller?.kind === 'key' ? caller.key.scopes : undefined;
        const choices = wanted.flatMap((choice, index) =>
          isSatisfied(alternatives[index] ?? []) ? choice : [],
        );
        if (!choices.some((choice) => choice.every((scope) => granted?.includes(scope))))
          throw insufficientScope(choices[0] ?? [], realm);
      }
    }
    next();
  };
}

/**
 * The scopes that each alternative takes: any one of its choices. OAuth 2 names scopes, and other schemes seldom do: a key
 * that is sent by one of those needs the scopes of another alternative, as it would there.
 */
function scopesOf(
  allowed: Contract['security'][string],
  scopes: readonly (readonly string[])[] | undefined,
): (readonly (readonly string[])[])[] | undefined {
  const named = scopes?.filter((scopes) => scopes.length > 0) ?? [];
  if (named.length === 0) return undefined;
  return allowed.map((schemes, index) => {
    const own = scopes?.[index] ?? [];
    return own.length > 0 || schemes.length === 0 ? [own] : named;
  });
}

/** RFC 6750 §3.1. */
function insufficientScope(scopes: readonly string[], realm: string): ApiError {
  const scope = quotable(scopes.join(' '));
  return new ApiError(
    'insufficient_scope',
    `The API key lacks a scope that this operation requires: ${scope}.`,
    {
      'WWW-Authenticate': `Bearer realm="${realm}", error="insufficient_scope", scope="${scope}"`,
    },
  );
}

interface Invalid {
  readonly req: Request;
  /** Why the token is not valid, if the app says it. */
  readonly why: string | undefined;
}

/** RFC 9110 §11.6.1: a challenge for each possible scheme. `invalid` if a key was sent, but no valid one. */
function unauthorized(
  alternatives: readonly (readonly Scheme[])[],
  realm: string,
  invalid?: Invalid,
): ApiError {
  const isShown = ({ in: place, name, keyIn }: Scheme) =>
    place === 'header' && keyIn(String(invalid?.req.headers[name.toLowerCase()] ?? '')) !== undefined;
  const why = invalid?.why === undefined ? undefined : quotable(invalid.why);
  const challenges = alternatives.flat().map((scheme) => challengeOf(scheme, realm, isShown(scheme), why));
  const forms = alternatives.map((alternative) => alternative.map(formOf).join(' with '));
  const message = invalid ? (invalid.why ?? INVALID_KEY) : missingKey(forms.join(' or '));
  return new ApiError('unauthorized', message, { 'WWW-Authenticate': [...new Set(challenges)].join(', ') });
}

/** RFC 6750 §3: other characters would end the quotes. */
function quotable(text: string): string {
  return text.replaceAll(/[^ !#-[\]-~]/g, '');
}
