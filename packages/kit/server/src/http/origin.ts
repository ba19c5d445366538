import type { Request } from 'express';

/** Needs no escaping in HTML, YAML, a shell or source code. A name has at most 253 characters (RFC 1035). */
const ORIGIN = /^https?:\/\/(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/;

/** The origin from the request's Host, otherwise the address that received it. */
export function originFor(req: Request): string {
  const named = `${req.protocol}://${(req.host ?? '').toLowerCase()}`;
  if (ORIGIN.test(named) && URL.canParse(named)) return named;
  const { localAddress = '', localPort } = req.socket;
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}
