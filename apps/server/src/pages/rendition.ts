import { createHash } from 'node:crypto';
import { basePath } from '@petstore/contract';
import type { JsonObject } from '@petstore/contract/json-pointer';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import type { Reply } from '../pipeline/reply.ts';
import { remembering } from '../remembering.ts';
import type { Document, Link } from './contract.ts';
import { originFor } from './origin.ts';
import { servedDocument } from './served-document.ts';

/** Stands for the origin of this server in what is rendered once for all of them. */
const ANYWHERE = 'https://this-server.invalid';

/** Whoever makes up names of this host must not fill the memory with them. */
const MAX_ORIGINS = 8;

interface Rendition {
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly render: (document: Document) => string | Promise<string>;
}

/**
 * Returns what answers with a text rendered from the contract as served to whoever asks. A text is rendered when
 * somebody asks for it, which takes as long as a fifth of the start, and then kept.
 */
export function renditionsOf(contract: JsonObject, publicUrl: string | undefined) {
  const servers = contract['servers'] as readonly Link[];
  const elsewhere = { url: ANYWHERE + basePath, description: 'This server' };
  /** One for each server of the contract, and one for all other origins. */
  const documentOf = remembering((server: Link) => servedDocument(contract, server));

  return ({ type, headers, render }: Rendition): ((req: Request) => Promise<Reply>) => {
    const templates = new Map<Link, string>();
    const replies = new LRUCache<string, Reply>({ max: MAX_ORIGINS });
    const replyAt = async (origin: string): Promise<Reply> => {
      const own = servers.find(({ url }) => url === origin + basePath) ?? elsewhere;
      const template = templates.get(own) ?? (await render(documentOf(own)));
      templates.set(own, template);
      const body = Buffer.from(template.replaceAll(ANYWHERE, origin));
      // Weak, because what is sent may be compressed (RFC 9110 §8.8.1).
      const tag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`;
      const always = {
        'Content-Type': type,
        'Cache-Control': 'no-cache',
        Vary: 'Accept-Encoding',
        ETag: tag,
      };
      return { status: 200, headers: { ...headers, ...always }, body };
    };

    return async (req) => {
      const origin = originFor(req, publicUrl);
      const reply = replies.get(origin) ?? (await replyAt(origin));
      replies.set(origin, reply);
      return reply;
    };
  };
}
