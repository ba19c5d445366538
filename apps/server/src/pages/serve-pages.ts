import { Router, type Request, type RequestHandler } from 'express';
import { reply, type Reply } from '../pipeline/reply.ts';
import { methodNotAllowed } from '../pipeline/match.ts';

/** What answers each page, by its path. */
export type Pages = Readonly<Record<string, (req: Request) => Reply | Promise<Reply>>>;

/** Answers GET and HEAD of pages outside the API, OPTIONS with what there is, and refuses every other method. */
export function servePages(pages: Pages): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const other: RequestHandler = async (req, res) => {
    const allow = 'GET, HEAD, OPTIONS';
    if (req.method !== 'OPTIONS') throw methodNotAllowed(req.method, allow);
    await reply(req, res, { status: 204, headers: { Allow: allow } });
  };
  for (const [path, answer] of Object.entries(pages)) {
    const get: RequestHandler = async (req, res) => {
      const content = await answer(req);
      await reply(req, res, isKnown(req, content) ? { ...content, status: 304, body: undefined } : content);
    };
    router.get(path, get).all(path, other);
  }
  return router;
}

/**
 * Whether the client has it already (RFC 9110 §13.1.2, compared weakly). Express's `req.fresh` denies that to every
 * `fetch` that asks, because `fetch` then sends `Cache-Control: no-cache` itself.
 */
function isKnown({ headers }: Request, { headers: { ETag } = {} }: Reply): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  const known = headers['if-none-match']?.split(',').map(opaque) ?? [];
  return ETag !== undefined && (known.includes('*') || known.includes(opaque(String(ETag))));
}
