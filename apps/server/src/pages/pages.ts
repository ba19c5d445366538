import { basePath } from '@petstore/contract';
import { document } from '@petstore/contract/document';
import { Router } from 'express';
import { stringify } from 'yaml';
import { StoreUnavailable } from '../database/store-unavailable.ts';
import type { Reply } from '../pipeline/reply.ts';
import { registry } from '../metrics.ts';
import { docs } from './docs.ts';
import { page } from './page.ts';

export interface PagesOptions {
  /** Rejects with StoreUnavailable while the database cannot be asked. */
  readonly ping: () => Promise<void>;
  readonly isAccepting: () => boolean;
}

/** What an operator watches the service by, which an overload must not take away. */
export const operatorPages: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Everything outside the API: the docs, the document, health and metrics. */
export function pages({ ping, isAccepting }: PagesOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const served = servedDocument();
  const asJson = Buffer.from(JSON.stringify(served));
  const asYaml = Buffer.from(stringify(served));

  page(router, '/openapi.json', () => ({ status: 200, body: asJson }));
  page(router, '/openapi.yaml', () => ({
    status: 200,
    headers: { 'Content-Type': 'application/yaml; charset=utf-8' },
    body: asYaml,
  }));
  page(router, '/healthz', () => ({ status: 200, body: { status: 'ok' } }));
  page(router, '/readyz', async () => {
    if (!isAccepting()) return notReady('stopping');
    try {
      await ping();
      return { status: 200, body: { status: 'ready' } };
    } catch (error) {
      if (error instanceof StoreUnavailable) return notReady('the database does not answer');
      throw error;
    }
  });
  page(router, '/metrics', async () => ({
    status: 200,
    headers: { 'Content-Type': registry.contentType },
    body: await registry.metrics(),
  }));
  router.use(docs());
  return router;
}

function notReady(reason: string): Reply {
  return { status: 503, headers: { 'Retry-After': 1 }, body: { status: 'not ready', reason } };
}

/** The contract as served lists this very server first, so that the docs page talks to it. */
function servedDocument(): Record<string, unknown> {
  const servers = document['servers'] as { url: string }[];
  return { ...document, servers: [{ url: basePath, description: 'This server' }, ...servers] };
}
