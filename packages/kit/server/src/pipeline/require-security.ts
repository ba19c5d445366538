import type { Contract } from '@contract-kit/core';
import { challengeOf, formOf, eitherWord } from '@contract-kit/core/http';
import type { Model, Requirement } from '@contract-kit/core/model';
import { errorTexts } from '@contract-kit/core/errors';
import type { Request, RequestHandler } from 'express';
import { ApiError } from '../http/api-error.ts';
import type { Caller } from '../keys/caller.ts';
import { tokenOf } from './authenticate.ts';
import { requestContextOf } from './request-context.ts';
import type { Scheme, Schemes } from './schemes.ts';

/** Rejects a request that `securityOf` rejects. */
export function requireSecurity(
  contract: Pick<Contract, 'name'>,
  model: Model,
  schemes: Schemes,
): RequestHandler {
  const rejectionOf = securityOf(contract, model, schemes);
  return (req, _res, next) => {
    // Not thrown: throwing takes longer than the rest of this stage.
    next(rejectionOf(req, requestContextOf(req).caller));
  };
}

/**
 * The rejection of a request by a caller; undefined if it may pass. 401 if it satisfies none of the operation's
 * alternatives, and 403 if its key lacks a scope, by whichever scheme it was sent. An operation without security is open to
 * everyone. Throws at the start if the contract requires an unsupported scheme.
 */
export function securityOf(
  { name: realm }: Pick<Contract, 'name'>,
  { operations }: Model,
  schemes: Schemes,
): (req: Request, caller: Caller | undefined) => ApiError | undefined {
  const known = new Map(
    operations.map(({ id, security }) => {
      const alternatives = security.map((requirements) =>
        requirements.map(({ scheme: name }) => {
          const scheme = schemes.get(name);
          if (!scheme) throw new Error(`${id} requires ${name}, which is not a supported security scheme`);
          return { ...scheme, scheme: name };
        }),
      );
      // Created once: there may be many requests without a key.
      const missing = keyMissing(alternatives, realm);
      return [id, { alternatives, missing, wanted: scopesOf(security) }] as const;
    }),
  );
  return (req, caller) => {
    const { match } = requestContextOf(req);
    if (match.kind !== 'operation') return undefined;
    const required = known.get(match.operationId);
    if (!required) throw new Error(`the security of ${match.operationId} is unknown`);
    const { alternatives, missing, wanted } = required;
    const shown = caller?.kind === 'key' ? caller.schemes : [];
    const isSatisfied = (alternative: (typeof alternatives)[number]) =>
      alternative.every(({ scheme }) => shown.includes(scheme));
    if (alternatives.length > 0 && !alternatives.some(isSatisfied)) {
      const invalid = caller?.kind === 'address' && caller.reason === 'invalid' ? caller : undefined;
      return invalid ? keyInvalid(alternatives, realm, { req, schemes, why: invalid.why }) : missing;
    }
    if (!wanted) return undefined;
    const granted = caller?.kind === 'key' ? caller.key.scopes : undefined;
    const choices = wanted.flatMap((choice, index) => (isSatisfied(alternatives[index] ?? []) ? choice : []));
    if (choices.some((choice) => choice.every((scope) => granted?.includes(scope)))) return undefined;
    const used = alternatives.flat().filter(({ scheme }) => shown.includes(scheme));
    return insufficientScope(choices[0] ?? [], realm, used);
  };
}

/**
 * The scopes that each alternative takes: any one of its choices. OAuth 2 names scopes, and other schemes seldom do: a key
 * that is sent by one of those needs the scopes of another alternative, as it would there.
 */
function scopesOf(
  security: readonly (readonly Requirement[])[],
): (readonly (readonly string[])[])[] | undefined {
  const all = security.map((requirements) => requirements.flatMap(({ scopes }) => scopes));
  const named = all.filter((scopes) => scopes.length > 0);
  if (named.length === 0) return undefined;
  return all.map((scopes, index) => (scopes.length > 0 || security[index]?.length === 0 ? [scopes] : named));
}

/** RFC 6750 §3.1. */
export function insufficientScope(
  scopes: readonly string[],
  realm: string,
  shown: readonly Scheme[],
): ApiError {
  const scope = quotable(scopes.join(' '));
  return new ApiError('insufficient_scope', errorTexts.missingScope(wordFor(shown), scope), {
    'WWW-Authenticate': `Bearer realm="${realm}", error="insufficient_scope", scope="${scope}"`,
  });
}

type Alternatives = readonly (readonly Scheme[])[];

/** The rejection of a request without a key. */
export function keyMissing(alternatives: Alternatives, realm: string): ApiError {
  const forms = alternatives.map((all) => all.map((scheme) => formOf(scheme, scheme.word)).join(' with '));
  return unauthorized(
    alternatives,
    errorTexts.missingKey(forms.join(' or '), wordFor(alternatives.flat())),
    (scheme) => challengeOf(scheme, realm, false),
  );
}

interface Invalid {
  readonly req: Request;
  readonly schemes: Schemes;
  /** Why the token is not valid, if the app says it. */
  readonly why: string | undefined;
}

/** The rejection of a request that sends keys, and no valid one. */
function keyInvalid(alternatives: Alternatives, realm: string, { req, schemes, why }: Invalid): ApiError {
  const isShown = (scheme: Scheme) => tokenOf(req, scheme) !== undefined;
  const shown = alternatives.flat().filter(isShown);
  // A key may be sent by a scheme that the operation does not take.
  const word = wordFor(shown.length > 0 ? shown : [...schemes.values()].filter(isShown));
  return unauthorized(alternatives, why ?? errorTexts.invalidKey(word), (scheme) =>
    challengeOf(scheme, realm, isShown(scheme), why === undefined ? undefined : quotable(why)),
  );
}

/** RFC 9110 §11.6.1: a challenge for each possible scheme. */
function unauthorized(
  alternatives: Alternatives,
  message: string,
  challengeFor: (scheme: Scheme) => string,
): ApiError {
  const challenges = new Set(alternatives.flat().map(challengeFor));
  return new ApiError('unauthorized', message, { 'WWW-Authenticate': [...challenges].join(', ') });
}

const wordFor = (schemes: readonly Scheme[]): string => eitherWord(schemes.map(({ word }) => word));

/** RFC 6750 §3: other characters would end the quotes. */
function quotable(text: string): string {
  return text.replaceAll(/[^ !#-[\]-~]/g, '');
}
