import { document } from '@petstore/contract/document';
import { Router } from 'express';
import type { DatabaseHealth } from '../database/health.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { Reply } from '../pipeline/reply.ts';
import { registry } from '../metrics.ts';
import { docs } from './docs.ts';
import type { Document } from './contract.ts';
import { page } from './page.ts';
import { renditionsOf } from './rendition.ts';

export interface AdminPagesOptions {
  readonly health: Pick<DatabaseHealth, 'fault'>;
  readonly limiter: Pick<Limiter, 'fault'>;
  readonly isAccepting: () => boolean;
}

export interface PagesOptions extends AdminPagesOptions {
  /** Where the pages of the operator are instead, if not here. */
  readonly adminPort?: number | undefined;
  /** The origin that consumers reach this server at; where undefined, each request names it. */
  readonly publicUrl?: string | undefined;
}

/** What an operator watches the service by, which an overload must not take away. */
export const operatorPages: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Everything outside the API: the docs, the document, health and metrics. */
export function pages(options: PagesOptions): Router {
  const { adminPort, publicUrl } = options;
  const router = Router({ caseSensitive: true, strict: true });
  const rendition = renditionsOf(document, publicUrl);
  type Render = (document: Document) => string | Promise<string>;
  const served = (path: string, type: string, render: Render) =>
    page(router, path, rendition({ type: `${type}; charset=utf-8`, render }));

  served('/openapi.json', 'application/json', (contract) => JSON.stringify(contract));
  // Quoted where YAML 1.1, which many tools still read, would take a text for a date, a number or a boolean.
  served('/openapi.yaml', 'application/yaml', async (contract) =>
    (await import('yaml')).stringify(contract, { compat: 'yaml-1.1' }),
  );
  const markdown = () => import('./markdown.ts');
  served('/docs.md', 'text/markdown', async (contract) => (await markdown()).renderMarkdown(contract));
  served('/llms.txt', 'text/plain', async (contract) => (await markdown()).renderIndex(contract));
  if (adminPort === undefined) router.use(adminPages(options));
  router.use(docs(rendition));
  return router;
}

/** What an operator watches the service by. */
export function adminPages({ health, limiter, isAccepting }: AdminPagesOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  page(router, '/healthz', () => ({ status: 200, body: { status: 'ok' } }));
  page(router, '/readyz', async () => {
    if (!isAccepting()) return notReady('stopping');
    const fault = await health.fault();
    if (fault !== undefined) return notReady(`the database: ${fault}`);
    const refusal = limiter.fault?.();
    return refusal === undefined ? { status: 200, body: { status: 'ready' } } : notReady(refusal);
  });
  page(router, '/metrics', async () => ({
    status: 200,
    headers: { 'Content-Type': registry.contentType },
    body: await registry.metrics(),
  }));
  return router;
}

function notReady(reason: string): Reply {
  return { status: 503, headers: { 'Retry-After': 1 }, body: { status: 'not ready', reason } };
}
