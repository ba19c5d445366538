import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { respond, type ResponseContent } from './respond.ts';
import { wrongMethod } from './route.ts';

export interface Page extends ResponseContent {
  /** The body, compressed, in its place. */
  readonly gzip?: Buffer;
}

export type PageOf = (req: Request) => Page | Promise<Page>;

export type Pages = Readonly<Record<string, PageOf>>;

/** Serves GET, HEAD and OPTIONS of pages outside the API, and rejects other methods. */
export function servePages(pages: Pages): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const other: RequestHandler = async (req, res) => {
    const allow = 'GET, HEAD, OPTIONS';
    if (req.method !== 'OPTIONS') throw wrongMethod(req.method, allow);
    await respond(req, res, { status: 204, headers: { Allow: allow } });
  };
  for (const [path, pageOf] of Object.entries(pages)) {
    const get: RequestHandler = async (req, res) => {
      const page = await encodedFor(req, res, await pageOf(req));
      await respond(req, res, isKnown(req, page) ? { ...page, status: 304, body: undefined } : page);
    };
    router.get(path, get).all(path, other);
  }
  return router;
}

/** `page` compressed, if possible and accepted by the client (RFC 9110 §12.5.3). */
async function encodedFor(req: Request, res: Response, { gzip, ...page }: Page): Promise<ResponseContent> {
  if (!gzip) return page;
  res.vary('Accept-Encoding');
  const isAccepted =
    req.headers['accept-encoding'] !== undefined && req.acceptsEncodings(['gzip', 'identity']) === 'gzip';
  if (!isAccepted) return { ...page, body: await decompress(gzip) };
  return { ...page, headers: { ...page.headers, 'Content-Encoding': 'gzip' }, body: gzip };
}

const decompress = promisify(gunzip);

/** Whether the client already has it (RFC 9110 §13.1.2). `req.fresh` is false for every conditional `fetch`. */
function isKnown({ headers }: Request, { headers: { ETag } = {} }: ResponseContent): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  const known = headers['if-none-match']?.split(',').map(opaque) ?? [];
  return typeof ETag === 'string' && (known.includes('*') || known.includes(opaque(ETag)));
}
