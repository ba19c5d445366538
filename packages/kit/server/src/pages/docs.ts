import type { Contract } from '@kit/contract';
import { assets } from './docs-assets.ts';
import { compressed, keep, type renditionsOf } from './rendition.ts';
import type { Pages } from './serve-pages.ts';

/** Scripts, styles and requests from this origin alone, so that a key typed into the page cannot leave it. */
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

/** The docs page, and nothing from another host. */
export function docs(contract: Contract, rendition: ReturnType<typeof renditionsOf>): Pages {
  const loaded = Object.values(assets).map(({ url, type, bytes }) => {
    const headers = { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' };
    return [url, keep(() => compressed({ status: 200, headers, body: bytes }))] as const;
  });
  const elsewhere = (place: string) => () => ({ status: 307, headers: { Location: place } });
  return {
    '/docs': rendition({
      type: 'text/html; charset=utf-8',
      headers: { 'Content-Security-Policy': CONTENT_SECURITY_POLICY, 'Referrer-Policy': 'no-referrer' },
      render: async (served) =>
        (await import('./html.ts')).renderPage(contract, served, (file) => assets[file].url),
    }),
    ...Object.fromEntries(loaded),
    '/': elsewhere('/docs'),
    '/docs/': elsewhere('/docs'),
    // Not for good: the favicon's place changes with its file.
    '/favicon.ico': elsewhere(assets['favicon.svg'].url),
  };
}
