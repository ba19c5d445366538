import type { Request } from 'express';

/** No character of it needs escaping in HTML, YAML, a shell or a source. A name has at most 253 characters (RFC 1035). */
const ORIGIN = /^https?:\/\/(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/;

/** The origin that the request names in Host, or else the address that received it. */
export function originFor(req: Request): string {
  const named = `${req.protocol}://${(req.host ?? '').toLowerCase()}`;
  return ORIGIN.test(named) ? named : receivedAt(req);
}

function receivedAt({ socket }: Request): string {
  const { localAddress = '', localPort } = socket;
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}
