import type { docsPaths } from '@contract-kit/core/http';
import { assets } from './docs-assets.ts';
import type { PageOf, Pages } from '../pipeline/serve-pages.ts';
import { referenceOf } from './reference.ts';
import { compressed, keep, renditionsOf } from './rendition.ts';
import { servedDocument } from './served-document.ts';
import { servedAt, type Served, type Subject } from './served.ts';

export interface DocsPagesOptions extends Subject {
  /** The public origin of this server; if undefined, that of each request. */
  readonly publicUrl?: string | undefined;
}

/** Only this origin, so that a key typed into the page cannot leave it. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The reference in each form, and the served contract. Nothing is loaded from another host. */
export function docsPages({ publicUrl, ...subject }: DocsPagesOptions): Pages {
  const rendition = renditionsOf(subject, publicUrl);
  const text = (type: string, render: (served: Served) => string | Promise<string>) =>
    rendition({ type: `${type}; charset=utf-8`, render });
  const markdown = () => import('./markdown/page.ts');
  const page = (place: string) =>
    rendition({
      type: 'text/html; charset=utf-8',
      headers: { 'Content-Security-Policy': CONTENT_SECURITY_POLICY, 'Referrer-Policy': 'no-referrer' },
      render: async (served) => (await import('./html/page.ts')).renderPage(served, place),
    });
  const { homes } = referenceOf(servedAt(subject, { url: '/' }));
  const loaded = Object.values(assets).map(({ url, type, bytes }) => {
    const headers = { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' };
    return [url, keep(() => compressed({ status: 200, headers, body: bytes }))] as const;
  });
  const redirectTo = (place: string) => () => ({ status: 307, headers: { Location: place } });
  const own: Record<(typeof docsPaths)[number], PageOf> = {
    '/docs': page('/docs'),
    '/docs/search.json': text('application/json', async (served) =>
      JSON.stringify((await import('./search/search-index.ts')).searchIndexOf(served)),
    ),
    '/openapi.json': text('application/json', (served) => JSON.stringify(servedDocument(served))),
    // Quotes strings that YAML 1.1, which many tools still use, would read as a date, number or boolean.
    '/openapi.yaml': text('application/yaml', async (served) =>
      (await import('yaml')).stringify(servedDocument(served), { compat: 'yaml-1.1' }),
    ),
    '/docs.md': text('text/markdown', async (served) => (await markdown()).renderMarkdown(served)),
    '/llms.txt': text('text/plain', async (served) => (await markdown()).renderIndex(served)),
    // Not permanent: the favicon's address changes with its file.
    '/favicon.ico': redirectTo(assets['favicon.svg'].url),
  };
  return {
    ...own,
    ...Object.fromEntries([...homes.values()].map((place) => [place, page(place)])),
    ...Object.fromEntries(loaded),
    '/': redirectTo('/docs'),
    '/docs/': redirectTo('/docs'),
  };
}
