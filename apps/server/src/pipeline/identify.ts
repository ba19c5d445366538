import type { Request, RequestHandler } from 'express';
import { addressOf } from '../http/address.ts';
import { timesSent } from '../http/headers.ts';
import type { Caller } from '../keys/caller.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { ActiveKey } from '../keys/key-store.ts';
import { whenKnown } from './when-known.ts';
import { exchangeOf } from './exchange.ts';

const BEARER = /^bearer +/i;

/** Finds out who the request counts for. It never refuses: the contract says which operations need a key. */
export function identify(keyRing: KeyRing): RequestHandler {
  return (req, _res, next) => {
    const exchange = exchangeOf(req);
    if (exchange.match.kind === 'outside') {
      next();
      return undefined;
    }
    return whenKnown(callerOf(req, keyRing), (caller) => {
      exchange.caller = caller;
      next();
    });
  };
}

function callerOf(req: Request, keyRing: KeyRing): Caller | Promise<Caller> {
  const credentials = req.headers.authorization ?? '';
  if (credentials !== '' && timesSent(req, 'authorization') > 1) return addressCaller(req, 'ambiguous');
  // RFC 9110 §11.1: the scheme is case-insensitive.
  const [scheme] = BEARER.exec(credentials) ?? [];
  if (scheme === undefined) return addressCaller(req, 'missing');
  const known = (key: ActiveKey | undefined): Caller =>
    key ? { kind: 'key', key } : addressCaller(req, 'invalid');
  const found = keyRing.find(credentials.slice(scheme.length));
  if (!(found instanceof Promise)) return known(found);
  return found.then(known, (cause: unknown) => ({
    kind: 'address',
    address: addressOf(req.ip),
    reason: 'unchecked',
    cause,
  }));
}

function addressCaller(req: Request, reason: 'missing' | 'invalid' | 'ambiguous'): Caller {
  return { kind: 'address', address: addressOf(req.ip), reason };
}
