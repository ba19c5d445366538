import path from 'node:path';
import { Router, static as serveFiles } from 'express';
import { absolutePath } from 'swagger-ui-dist';
import { reply } from '../http/reply.ts';
import { onlyGet } from './pages.ts';

const ASSETS = '/docs/assets';

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Petstore Store Orders</title>
    <link rel="stylesheet" href="${ASSETS}/swagger-ui.css" />
    <link rel="icon" href="${ASSETS}/favicon-32x32.png" />
  </head>
  <body>
    <div id="docs"></div>
    <script src="${ASSETS}/swagger-ui-bundle.js"></script>
    <script src="/docs/docs.js"></script>
  </body>
</html>
`;

/** The docs page: Swagger UI from its package, with docs.js, and nothing from another host. */
export function docs(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/docs', async (req, res) => {
    const headers = {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Referrer-Policy': 'no-referrer',
    };
    await reply(req, res, { status: 200, headers, body: HTML });
  });
  onlyGet(router, '/docs');
  const files = { index: false, redirect: false, setHeaders: setFileHeaders } as const;
  router.use('/docs/docs.js', serveFiles(path.join(import.meta.dirname, 'browser/docs.js'), files));
  router.use(ASSETS, serveFiles(absolutePath(), files));
  return router;
}

function setFileHeaders(res: {
  req: Express.Request;
  setHeader(name: string, value: string): unknown;
}): void {
  for (const [name, value] of Object.entries(res.req.exchange.headers)) res.setHeader(name, value);
}
