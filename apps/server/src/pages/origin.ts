import type { Request } from 'express';

/** No character of it needs escaping in HTML, YAML, a shell or a source. */
const ORIGIN = /^https?:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/;

/**
 * Where this server is for whoever asks: at `publicUrl`, or else at the origin that the request named, so that a document
 * that is fetched is of use where it was fetched. A Host that names none leads to the address it was received at.
 */
export function originFor(req: Request, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  const named = `${req.protocol}://${(req.host ?? '').toLowerCase()}`;
  return ORIGIN.test(named) ? named : receivedAt(req);
}

function receivedAt({ socket }: Request): string {
  const { localAddress = '', localPort } = socket;
  return `http://${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
}
