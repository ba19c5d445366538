import type { Request, RequestHandler } from 'express';
import { addressOf } from '../http/address.ts';
import { timesSent } from '../http/headers.ts';
import type { Caller, NoKey } from '../keys/caller.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { ActiveKey } from '../keys/key-store.ts';
import { exchangeOf } from './exchange.ts';
import { schemesOf, type Schemes } from './schemes.ts';

/**
 * Finds out who the request counts for, by whichever of the contract's security schemes it shows a key. It never
 * refuses: the contract says which operations need a key.
 */
export function identify(keyRing: KeyRing, schemes: Schemes = schemesOf()): RequestHandler {
  return async (req, _res, next) => {
    const exchange = exchangeOf(req);
    if (exchange.match.kind !== 'outside') exchange.caller = await callerOf(req, keyRing, schemes);
    next();
  };
}

async function callerOf(req: Request, keyRing: KeyRing, schemes: Schemes): Promise<Caller> {
  const shown: { readonly name: string; readonly token: string }[] = [];
  for (const [name, { header, keyIn }] of schemes) {
    const field = header.toLowerCase();
    const value = String(req.headers[field] ?? '');
    if (value === '') continue;
    if (timesSent(req, field) > 1)
      return addressCaller(req, { reason: 'ambiguous', what: `${header} header` });
    const token = keyIn(value);
    if (token !== undefined) shown.push({ name, token });
  }
  let found: (ActiveKey | undefined)[];
  try {
    found = await Promise.all(shown.map(async ({ token }) => keyRing.find(token)));
  } catch (cause) {
    return addressCaller(req, { reason: 'unchecked', cause });
  }
  const key = found.find((each) => each !== undefined);
  if (!key) return addressCaller(req, { reason: shown.length > 0 ? 'invalid' : 'missing' });
  if (found.some((each) => each && each.id !== key.id))
    return addressCaller(req, { reason: 'ambiguous', what: 'API key' });
  return { kind: 'key', key, schemes: shown.filter((_, index) => found[index]).map(({ name }) => name) };
}

function addressCaller(req: Request, noKey: NoKey): Caller {
  return { kind: 'address', address: addressOf(exchangeOf(req).ip), ...noKey };
}
