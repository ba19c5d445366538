import type { Request, Response } from 'express';
import { acceptsGzip, gzipped, isWorthCompressing, type Head } from '../http/compression.ts';
import { endTogether } from './end-together.ts';

/** Writes a body that is whole, compressed where that is worth it and the client takes it so. */
export function replyWithBytes(
  req: Request,
  res: Response,
  status: number,
  head: Head,
  bytes: string | Buffer,
): void | Promise<void> {
  const send = (body: string | Buffer) => {
    head['Content-Length'] = Buffer.byteLength(body);
    endTogether(res.writeHead(status, head), body);
  };
  return isWorthCompressing(bytes, head) && acceptsGzip(req, res, head)
    ? gzipped(bytes).then(send)
    : send(bytes);
}
