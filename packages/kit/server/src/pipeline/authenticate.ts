import type { Request, RequestHandler } from 'express';
import { addressOf } from '../http/address.ts';
import { headerValues } from '../http/headers.ts';
import type { Caller, NoKey } from '../keys/caller.ts';
import type { FindKey } from '../keys/identify.ts';
import type { ActiveKey } from '../keys/key-store.ts';
import { contextOf } from './request-context.ts';
import type { Schemes } from './schemes.ts';
import { mapMaybeAsync } from './map-maybe-async.ts';

/** Finds the caller by any of the contract's security schemes. Never rejects: the contract says who needs a key. */
export function authenticate(findKey: FindKey, schemes: Schemes): RequestHandler {
  return (req, _res, next) => {
    const context = contextOf(req);
    if (context.match.kind === 'outside') {
      next();
      return undefined;
    }
    return mapMaybeAsync(callerOf(req, findKey, schemes), (caller) => {
      context.caller = caller;
      next();
    });
  };
}

function callerOf(req: Request, findKey: FindKey, schemes: Schemes): Caller | Promise<Caller> {
  const shown: string[] = [];
  const keys: (ActiveKey | undefined | Promise<ActiveKey | undefined>)[] = [];
  for (const [name, { in: place, name: field, keyIn }] of schemes) {
    const values = place === 'query' ? inQuery(req, field) : headerValues(req, field.toLowerCase());
    if (values.length > 1) {
      const what = place === 'query' ? `query parameter ${field}` : `${field} header`;
      return addressCaller(req, { reason: 'ambiguous', what });
    }
    const [value = ''] = values;
    const key = value === '' ? undefined : keyIn(value);
    if (key === undefined) continue;
    shown.push(name);
    keys.push(findKey(key, name));
  }
  const known = (found: readonly (ActiveKey | undefined)[]): Caller => {
    const key = found.find((key) => key !== undefined);
    if (!key) return addressCaller(req, { reason: shown.length > 0 ? 'invalid' : 'missing' });
    if (found.some((item) => item && item.id !== key.id))
      return addressCaller(req, { reason: 'ambiguous', what: 'API key' });
    return { kind: 'key', key, schemes: shown.filter((_name, index) => found[index]) };
  };
  if (!keys.some((key) => key instanceof Promise)) return known(keys as (ActiveKey | undefined)[]);
  return Promise.all(keys.map((key) => Promise.resolve(key))).then(known, (cause: unknown) =>
    addressCaller(req, { reason: 'unchecked', cause }),
  );
}

function addressCaller(req: Request, noKey: NoKey): Caller {
  return { kind: 'address', address: addressOf(contextOf(req).ip), ...noKey };
}

function inQuery(req: Request, name: string): string[] {
  const start = req.url.indexOf('?');
  return start === -1 ? [] : new URLSearchParams(req.url.slice(start + 1)).getAll(name);
}
