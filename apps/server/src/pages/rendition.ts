import { createHash } from 'node:crypto';
import { basePath } from '@petstore/contract';
import type { JsonObject } from '@petstore/contract/json-pointer';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import type { Reply } from '../pipeline/reply.ts';
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
  const documents = new Map<string, Document>();
  /** The document as served at `origin`: one for each server of the contract, and one for all other origins. */
  const documentAt = (origin: string): Document => {
    const url = origin + basePath;
    const own = (contract['servers'] as Link[]).find((server) => server.url === url);
    if (!own && origin !== ANYWHERE) return documentAt(ANYWHERE);
    const document =
      documents.get(url) ?? servedDocument(contract, own ?? { url, description: 'This server' });
    documents.set(url, document);
    return document;
  };

  return ({ type, headers, render }: Rendition): ((req: Request) => Promise<Reply>) => {
    const templates = new WeakMap<Document, string>();
    const replies = new LRUCache<string, Reply>({ max: MAX_ORIGINS });
    const templateFor = async (origin: string) => {
      const document = documentAt(origin);
      const text = templates.get(document) ?? (await render(document));
      templates.set(document, text);
      return text;
    };
    const replyAt = async (origin: string): Promise<Reply> => {
      const body = Buffer.from((await templateFor(origin)).replaceAll(ANYWHERE, origin));
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
