import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
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
const decompress = promisify(gunzip);

/** The most origins besides the known ones for which pages are kept: anybody can name others, in the header Host. */
const MOST_OTHERS = 4;

/**
 * Makes pages of the contract. A text is rendered on first use and kept, compressed: once for each server of the contract,
 * for the public origin and for a few others.
 */
export function renditionsOf(subject: Subject, publicUrl: string | undefined) {
  const { basePath, document } = subject.contract;
  const servers = document['servers'] as readonly Link[];
  const fallback = { url: ANYWHERE + basePath, description: 'This server' };
  /** One for each server of the contract, and one for other origins. */
  const atServer = memoize((server: Link) => servedAt(subject, server));
  const serverAt = (origin: string) => servers.find(({ url }) => url === origin + basePath);
  const others = new Set<string>();

  function isKept(origin: string): boolean {
    if (origin === publicUrl || serverAt(origin)) return true;
    if (others.size < MOST_OTHERS) others.add(origin);
    return others.has(origin);
  }

  return ({ type, headers, render }: Rendition): PageOf => {
    const templateOf = memoize((server: Link) =>
      keep(async () => {
        const text = await render(atServer(server));
        return { gzip: await compress(text), digest: digestOf(text) };
      }),
    );

    async function pageAt(origin: string): Promise<Page> {
      const server = serverAt(origin);
      const { gzip, digest } = await templateOf(server ?? fallback)();
      // Weak, because the response may be compressed (RFC 9110 §8.8.1).
      const ETag = `W/"${digestOf(digest + origin)}"`;
      const always = { 'Content-Type': type, 'Cache-Control': 'no-cache', ETag };
      const page = { status: 200, headers: { ...headers, ...always } };
      if (server) return { ...page, gzip };
      const text = String(await decompress(gzip));
      return { ...page, body: Buffer.from(text.replaceAll(ANYWHERE, origin)) };
    }

    const keptAt = memoize((origin: string) => keep(async () => compressed(await pageAt(origin))));
    return (req) => {
      const origin = publicUrl ?? originFor(req);
      return isKept(origin) ? keptAt(origin)() : pageAt(origin);
    };
  };
}

/** `page` with its body in gzip alone. Nearly every client reads it, and it is small to keep. */
export async function compressed({ body, ...page }: Page): Promise<Page> {
  return Buffer.isBuffer(body) ? { ...page, gzip: await compress(body) } : page;
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
