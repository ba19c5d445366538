import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { addressOf } from '../http/address.ts';
import type { Caller } from '../keys/caller.ts';
import type { KeyRing } from '../keys/key-ring.ts';

const BEARER = /^bearer +/i;

/** Finds out who the request counts for. It never refuses: the contract says which operations need a key. */
export function identify(keyRing: KeyRing): RequestHandler {
  return async (req, _res, next) => {
    if (req.exchange.match.kind !== 'page') req.exchange.caller = await callerOf(req, req.ip, keyRing);
    next();
  };
}

async function callerOf(req: IncomingMessage, ip: string | undefined, keyRing: KeyRing): Promise<Caller> {
  const address = addressOf(ip);
  const sent = req.headersDistinct['authorization'] ?? [];
  if (sent.length > 1) return { kind: 'address', address, reason: 'ambiguous' };
  // RFC 9110 §11.1: the scheme is case-insensitive.
  const [credentials = ''] = sent;
  const [scheme] = BEARER.exec(credentials) ?? [];
  if (scheme === undefined) return { kind: 'address', address, reason: 'missing' };
  try {
    const key = await keyRing.find(credentials.slice(scheme.length));
    return key ? { kind: 'key', key } : { kind: 'address', address, reason: 'invalid' };
  } catch (cause) {
    return { kind: 'address', address, reason: 'unchecked', cause };
  }
}
