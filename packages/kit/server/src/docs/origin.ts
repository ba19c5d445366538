import type { Request } from 'express';

/** Needs no escaping in HTML, YAML, a shell or source code. A name has at most 253 characters (RFC 1035). */
const ORIGIN = /^https?:\/\/(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/;

/** The origin from the request's Host, otherwise the address that received it. */
export function originFor(req: Request): string {
  const named = `${req.protocol}://${(req.host ?? '').toLowerCase()}`;
  return ORIGIN.test(named) ? named : receivedAt(req);
}

function receivedAt({ socket }: Request): string {
  const { localAddress = '', localPort } = socket;
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}
