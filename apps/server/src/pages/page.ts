import type { Request, RequestHandler, Router } from 'express';
import { reply, type Reply } from '../pipeline/reply.ts';
import { methodNotAllowed } from '../pipeline/match.ts';

type Answer = (req: Request) => Reply | Promise<Reply>;

/** Answers GET and HEAD of a page outside the API, OPTIONS with what there is, and refuses every other method. */
export function page(router: Router, path: string, answer: Answer): void {
  const get: RequestHandler = async (req, res) => {
    const content = await answer(req);
    await reply(req, res, isKnown(req, content) ? { ...content, status: 304, body: undefined } : content);
  };
  router.get(path, get);
  const allow = 'GET, HEAD, OPTIONS';
  router.all(path, async (req, res) => {
    if (req.method !== 'OPTIONS') throw methodNotAllowed(req.method, allow);
    await reply(req, res, { status: 204, headers: { Allow: allow } });
  });
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
