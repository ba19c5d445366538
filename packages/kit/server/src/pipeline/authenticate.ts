import { cookieTexts, decoded, eitherWord } from '@contract-kit/core/http';
import type { Request, RequestHandler } from 'express';
import { countedAddress } from '../http/address.ts';
import { headerValues } from '../http/headers.ts';
import type { Caller, KeyCaller, NoKey } from '../keys/caller.ts';
import { keyOf, type FindKey, type FindKeyAgain, type Found, type TokenHolder } from '../keys/identify.ts';
import { InvalidToken } from '../keys/identity-provider.ts';
import { mapMaybeAsync } from './map-maybe-async.ts';
import { requestContextOf, hasCaller } from './request-context.ts';
import type { Scheme, Schemes } from './schemes.ts';

/** Finds the caller by any of the contract's security schemes. Never rejects: the contract says who needs a key. */
export function authenticate(findKey: FindKey, schemes: Schemes): RequestHandler {
  return (req, _res, next) => {
    const context = requestContextOf(req);
    const caller = hasCaller(context.match) ? callerOf(req, findKey, schemes) : undefined;
    return mapMaybeAsync(caller, (caller) => {
      if (caller) context.caller = caller;
      next();
    });
  };
}

/** Who the caller of `req` is by now, by the same credentials. */
export function callerAgain(
  req: Request,
  { holders }: KeyCaller,
  findAgain: FindKeyAgain,
  schemes: Schemes,
): Caller | Promise<Caller> {
  return callerOf(req, (token, scheme) => findAgain(token, holders?.get(scheme)), schemes);
}

function callerOf(req: Request, findKey: FindKey, schemes: Schemes): Caller | Promise<Caller> {
  const shown: (Pick<Scheme, 'word'> & { scheme: string; token: string })[] = [];
  for (const [name, scheme] of schemes) {
    if (valuesOf(req, scheme).length > 1) {
      const { in: place, name: field } = scheme;
      const what = {
        header: `${field} header`,
        query: `query parameter ${field}`,
        cookie: `cookie ${field}`,
      }[place];
      return addressCaller(req, { reason: 'ambiguous', what });
    }
    const token = tokenOf(req, scheme);
    if (token === undefined) continue;
    shown.push({ scheme: name, word: scheme.word, token });
  }
  if (shown.length === 0) return addressCaller(req, { reason: 'missing' });
  const asked = shown.map(({ scheme, token }) => findKey(token, scheme, req));
  // Most keys are in the cache.
  if (!asked.some((item) => item instanceof Promise))
    return holderOf(req, shown, asked as (Found | undefined)[]);
  return Promise.allSettled(asked.map((item) => Promise.resolve(item))).then((answers) => {
    let why: string | undefined;
    const found: (Found | undefined)[] = [];
    for (const answer of answers) {
      const cause: unknown = answer.status === 'rejected' ? answer.reason : undefined;
      if (cause instanceof InvalidToken) why = cause.message;
      else if (answer.status === 'rejected') return addressCaller(req, { reason: 'unchecked', cause });
      found.push(answer.status === 'fulfilled' ? answer.value : undefined);
    }
    return holderOf(req, shown, found, why);
  });
}

/** The caller with these keys, in the order in which they were shown. */
function holderOf(
  req: Request,
  shown: readonly (Pick<Scheme, 'word'> & { readonly scheme: string })[],
  found: readonly (Found | undefined)[],
  why?: string,
): Caller {
  const first = found.find((item) => item !== undefined);
  if (!first) return addressCaller(req, { reason: 'invalid', why });
  const key = keyOf(first);
  if (found.some((item) => item && keyOf(item).id !== key.id))
    return addressCaller(req, { reason: 'ambiguous', what: eitherWord(shown.map(({ word }) => word)) });
  const schemes = shown.filter((_, index) => found[index]).map(({ scheme }) => scheme);
  const holders = shown.map(({ scheme }, index) => [scheme, found[index]] as const).filter(isOfHolder);
  if (holders.length === 0) return { kind: 'key', key, schemes };
  return { kind: 'key', key, schemes, holders: new Map(holders) };
}

const isOfHolder = (entry: readonly [string, Found | undefined]): entry is [string, TokenHolder] =>
  entry[1] !== undefined && 'isExpired' in entry[1];

function addressCaller(req: Request, noKey: NoKey): Caller {
  return { kind: 'address', address: countedAddress(requestContextOf(req).ip), ...noKey };
}

/** What a request shows as its key by a scheme, valid or not. */
export function tokenOf(req: Request, scheme: Scheme): string | undefined {
  const [value = ''] = valuesOf(req, scheme);
  return value === '' ? undefined : scheme.keyIn(value);
}

function valuesOf(req: Request, { in: place, name }: Scheme): string[] {
  if (place === 'cookie') return inCookies(req, name);
  return place === 'query' ? inQuery(req, name) : headerValues(req, name.toLowerCase());
}

function inQuery(req: Request, name: string): string[] {
  const start = req.url.indexOf('?');
  return start === -1 ? [] : new URLSearchParams(req.url.slice(start + 1)).getAll(name);
}

/** Without repetitions: a browser sends a cookie once for each path that it was set for. */
function inCookies({ headers: { cookie = '' } }: Request, name: string): string[] {
  return [...new Set(cookieTexts(cookie, name).map((text) => decoded(text, 'cookie')))];
}
