import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { memoize } from '../memoize.ts';
import type { Link } from './openapi.ts';
import { originFor } from '../http/origin.ts';
import { servedAt, type Served, type Subject } from './served.ts';
import type { Page, PageOf } from '../pipeline/serve-pages.ts';

/** Placeholder for the origin of this server, because pages are rendered once for all origins. */
const ANYWHERE = 'https://this-server.invalid';

interface Rendition {
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly render: (served: Served) => string | Promise<string>;
}

const compress = promisify(gzip);

/** Makes pages of the contract. A text is rendered on first use and cached, also compressed for the known origins. */
export function renditionsOf(subject: Subject, publicUrl: string | undefined) {
  const { basePath, document } = subject.contract;
  const servers = document['servers'] as readonly Link[];
  const fallback = { url: ANYWHERE + basePath, description: 'This server' };
  /** One for each server of the contract, and one for other origins. */
  const atServer = memoize((server: Link) => servedAt(subject, server));

  return ({ type, headers, render }: Rendition): PageOf => {
    const templateOf = memoize((server: Link) =>
      keep(async () => {
        const text = await render(atServer(server));
        return { pieces: text.split(ANYWHERE).map((piece) => Buffer.from(piece)), digest: digestOf(text) };
      }),
    );

    async function pageAt(origin: string): Promise<Page & { readonly body: Buffer }> {
      const own = servers.find(({ url }) => url === origin + basePath) ?? fallback;
      const { pieces, digest } = await templateOf(own)();
      const between = Buffer.from(origin);
      const body = Buffer.concat(pieces.flatMap((piece, index) => (index > 0 ? [between, piece] : [piece])));
      // Weak, because the response may be compressed (RFC 9110 §8.8.1).
      const ETag = `W/"${digestOf(digest + origin)}"`;
      const always = { 'Content-Type': type, 'Cache-Control': 'no-cache', ETag };
      return { status: 200, headers: { ...headers, ...always }, body };
    }

    const compressedAt = memoize((origin: string) => keep(async () => compressed(await pageAt(origin))));
    return (req) => {
      const origin = publicUrl ?? originFor(req);
      const isKnown = origin === publicUrl || servers.some(({ url }) => url === origin + basePath);
      return isKnown ? compressedAt(origin)() : pageAt(origin);
    };
  };
}

/** `page`, also in gzip, which every client reads. */
export async function compressed<Content extends Page & { readonly body: Buffer }>(page: Content) {
  return { ...page, gzip: await compress(page.body) };
}

/** Creates a value on first use, and again if that failed. */
export function keep<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let kept: Promise<Value> | undefined;
  return () => {
    kept ??= make().catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
