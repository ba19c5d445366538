import { document } from '@petstore/contract/document';
import { Router } from 'express';
import { readAssets, versionOf, type AssetName } from './docs-assets.ts';
import { page } from './page.ts';

/** Scripts, styles and requests from this origin alone, so that a key typed into the page cannot leave it. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Swagger UI's style sheet has its icons as data: URLs.
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The docs page: Swagger UI from its package with the plugin in browser/, and nothing from another host. */
export function docs(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const assets = readAssets();
  const folder = `/docs/assets/${versionOf(assets)}`;
  const html = htmlOf((name) => `${folder}/${name}`);

  page(router, '/docs', () => ({
    status: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-cache',
    },
    body: html,
  }));
  for (const [name, { type, bytes }] of assets) {
    page(router, `${folder}/${name}`, () => ({
      status: 200,
      headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' },
      body: bytes,
    }));
  }
  return router;
}

function htmlOf(urlOf: (name: AssetName) => string): string {
  const { title } = document['info'] as { title: string };
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${escaped(title)}</title>
    <link rel="icon" href="${urlOf('favicon.svg')}" />
    <link rel="stylesheet" href="${urlOf('swagger-ui.css')}" />
    <link rel="stylesheet" href="${urlOf('docs.css')}" />
    <link rel="stylesheet" href="${urlOf('navigation.css')}" />
    <link rel="stylesheet" href="${urlOf('operations.css')}" />
    <script src="${urlOf('prelude.js')}"></script>
    <script defer src="${urlOf('swagger-ui-bundle.js')}"></script>
    <script type="module" src="${urlOf('docs.js')}"></script>
  </head>
  <body>
    <div id="docs"></div>
    <noscript>This page needs JavaScript. The same contract as text: <a href="/openapi.yaml">openapi.yaml</a>.</noscript>
  </body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
