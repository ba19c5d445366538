import type { Request, RequestHandler } from 'express';
import { countedAddress } from '../http/address.ts';
import { headerValues } from '../http/headers.ts';
import type { Caller, NoKey } from '../keys/caller.ts';
import type { FindKey } from '../keys/identify.ts';
import { InvalidToken } from '../keys/identity-provider.ts';
import type { ActiveKey } from '../keys/key-store.ts';
import { mapMaybeAsync } from './map-maybe-async.ts';
import { contextOf, hasCaller } from './request-context.ts';
import type { Scheme, Schemes } from './schemes.ts';

/** Finds the caller by any of the contract's security schemes. Never rejects: the contract says who needs a key. */
export function authenticate(findKey: FindKey, schemes: Schemes): RequestHandler {
  return (req, _res, next) => {
    const context = contextOf(req);
    const caller = hasCaller(context.match) ? callerOf(req, findKey, schemes) : undefined;
    return mapMaybeAsync(caller, (caller) => {
      if (caller) context.caller = caller;
      next();
    });
  };
}

function callerOf(req: Request, findKey: FindKey, schemes: Schemes): Caller | Promise<Caller> {
  const shown: { scheme: string; token: string }[] = [];
  for (const [name, scheme] of schemes) {
    if (valuesOf(req, scheme).length > 1) {
      const { in: place, name: field } = scheme;
      const what = place === 'query' ? `query parameter ${field}` : `${field} header`;
      return addressCaller(req, { reason: 'ambiguous', what });
    }
    const token = tokenOf(req, scheme);
    if (token === undefined) continue;
    shown.push({ scheme: name, token });
  }
  if (shown.length === 0) return addressCaller(req, { reason: 'missing' });
  const asked = shown.map(({ scheme, token }) => findKey(token, scheme, req));
  const schemesOf = shown.map(({ scheme }) => scheme);
  // Most keys are in the cache.
  if (!asked.some((item) => item instanceof Promise))
    return holderOf(req, schemesOf, asked as (ActiveKey | undefined)[]);
  return Promise.allSettled(asked.map((item) => Promise.resolve(item))).then((answers) => {
    let why: string | undefined;
    const found: (ActiveKey | undefined)[] = [];
    for (const answer of answers) {
      const cause: unknown = answer.status === 'rejected' ? answer.reason : undefined;
      if (cause instanceof InvalidToken) why = cause.message;
      else if (answer.status === 'rejected') return addressCaller(req, { reason: 'unchecked', cause });
      found.push(answer.status === 'fulfilled' ? answer.value : undefined);
    }
    return holderOf(req, schemesOf, found, why);
  });
}

/** The caller with these keys, in the order of the schemes by which they were shown. */
function holderOf(
  req: Request,
  schemes: readonly string[],
  found: readonly (ActiveKey | undefined)[],
  why?: string,
): Caller {
  const key = found.find((key) => key !== undefined);
  if (!key) return addressCaller(req, { reason: 'invalid', why });
  if (found.some((item) => item && item.id !== key.id))
    return addressCaller(req, { reason: 'ambiguous', what: 'API key' });
  return { kind: 'key', key, schemes: schemes.filter((_scheme, index) => found[index]) };
}

function addressCaller(req: Request, noKey: NoKey): Caller {
  return { kind: 'address', address: countedAddress(contextOf(req).ip), ...noKey };
}

/** What a request shows as its key by a scheme, valid or not. */
export function tokenOf(req: Request, scheme: Scheme): string | undefined {
  const [value = ''] = valuesOf(req, scheme);
  return value === '' ? undefined : scheme.keyIn(value);
}

function valuesOf(req: Request, { in: place, name }: Scheme): string[] {
  return place === 'query' ? inQuery(req, name) : headerValues(req, name.toLowerCase());
}

function inQuery(req: Request, name: string): string[] {
  const start = req.url.indexOf('?');
  return start === -1 ? [] : new URLSearchParams(req.url.slice(start + 1)).getAll(name);
}
