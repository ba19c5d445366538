import { Router } from 'express';
import { assets } from './docs-assets.ts';
import { page } from './page.ts';
import type { renditionsOf } from './rendition.ts';

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
export function docs(rendition: ReturnType<typeof renditionsOf>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const answer = rendition({
    type: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': CONTENT_SECURITY_POLICY, 'Referrer-Policy': 'no-referrer' },
    render: async (served) => (await import('./html.ts')).renderPage(served, (file) => assets[file].url),
  });
  page(router, '/docs', answer);
  for (const { url, type, bytes } of Object.values(assets)) {
    page(router, url, () => ({
      status: 200,
      headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' },
      body: bytes,
    }));
  }
  // Not for good: the favicon's place changes with its file.
  const elsewhere = { '/': '/docs', '/docs/': '/docs', '/favicon.ico': assets['favicon.svg'].url };
  for (const [from, to] of Object.entries(elsewhere))
    page(router, from, () => ({ status: 307, headers: { Location: to } }));
  return router;
}
