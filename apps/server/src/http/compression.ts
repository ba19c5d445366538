import { promisify } from 'node:util';
import { constants, createGzip, gzip, type Gzip } from 'node:zlib';
import type { Request, Response } from 'express';

/** The head of a reply, on its way out. */
export type Head = Record<string, string | number>;

/** Below this many bytes a body fits into a packet or two, and compressing it costs more than it spares. */
const MIN_BYTES = 2_048;
const COMPRESSIBLE = /^(?:text\/|application\/(?:json|yaml)|image\/svg\+xml)/;

const gzipAll = promisify(gzip);
const remembered = new WeakMap<Buffer, Promise<Buffer>>();

/** Whether a reply of these bytes is one that goes out compressed where the client takes it so. */
export function isWorthCompressing(bytes: string | Buffer, head: Head): boolean {
  return bytes.length >= MIN_BYTES && COMPRESSIBLE.test(String(head['Content-Type']));
}

/**
 * Decides about the encoding of a reply that is worth compressing, and says in `head` that it was decided (RFC 9110
 * §12.5.3 and §12.5.5). Only gzip: everything reads it, and it is the fastest.
 */
export function acceptsGzip(req: Request, res: Response, head: Head): boolean {
  // CORS may have said that the reply varies by Origin.
  if (res.hasHeader('Vary')) res.vary('Accept-Encoding');
  else head['Vary'] = 'Accept-Encoding';
  const accepts =
    req.headers['accept-encoding'] !== undefined && req.acceptsEncodings(['gzip', 'identity']) === 'gzip';
  if (accepts) head['Content-Encoding'] = 'gzip';
  return accepts;
}

/** `bytes` compressed, off the event loop. A Buffer is compressed once for as long as somebody holds it. */
export function gzipped(bytes: string | Buffer): Promise<Buffer> {
  if (typeof bytes === 'string') return gzipAll(bytes);
  const known = remembered.get(bytes);
  if (known) return known;
  const compressing = gzipAll(bytes);
  remembered.set(bytes, compressing);
  return compressing;
}

/** Compresses what is written as it comes, fast rather than small: it is as long as it takes to read the database. */
export function gzipStream(): Gzip {
  return createGzip({ level: constants.Z_BEST_SPEED });
}
