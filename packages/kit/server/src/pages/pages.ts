import type { Contract } from '@kit/contract';
import type { DatabaseHealth } from '../database/health.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { Reply } from '../pipeline/respond.ts';
import type { Metrics } from '../metrics.ts';
import { docs } from './docs.ts';
import type { Document } from './openapi.ts';
import type { Pages } from './serve-pages.ts';
import { renditionsOf } from './rendition.ts';

export interface OpsPagesOptions {
  readonly metrics: Metrics;
  readonly health: Pick<DatabaseHealth, 'fault'>;
  readonly limiter: Pick<Limiter, 'fault'>;
  readonly isAccepting: () => boolean;
}

export interface PagesOptions extends OpsPagesOptions {
  /** Where the pages of the operator are instead, if not here. */
  readonly opsPort?: number | undefined;
  /** The origin that consumers reach this server at; where undefined, each request names it. */
  readonly publicUrl?: string | undefined;
}

/** What an operator watches the service by. */
export const opsPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Everything outside the API: the docs, the document, health and metrics. */
export function pages(contract: Contract, options: PagesOptions): Pages {
  const rendition = renditionsOf(contract, options.publicUrl);
  const served = (type: string, render: (document: Document) => string | Promise<string>) =>
    rendition({ type: `${type}; charset=utf-8`, render });
  const markdown = () => import('./markdown.ts');
  return {
    '/openapi.json': served('application/json', (document) => JSON.stringify(document)),
    // Quoted where YAML 1.1, which many tools still read, would take a text for a date, a number or a boolean.
    '/openapi.yaml': served('application/yaml', async (document) =>
      (await import('yaml')).stringify(document, { compat: 'yaml-1.1' }),
    ),
    '/docs.md': served('text/markdown', async (document) => (await markdown()).renderMarkdown(document)),
    '/llms.txt': served('text/plain', async (document) => (await markdown()).renderIndex(document)),
    ...(options.opsPort === undefined && opsPages(options)),
    ...docs(contract, rendition),
  };
}

/** What an operator watches the service by. */
export function opsPages({ metrics: { registry }, health, limiter, isAccepting }: OpsPagesOptions): Pages {
  return {
    '/healthz': () => ({ status: 200, body: { status: 'ok' } }),
    '/readyz': async () => {
      if (!isAccepting()) return notReady('stopping');
      const fault = await health.fault();
      if (fault !== undefined) return notReady(`the database: ${fault}`);
      const refusal = limiter.fault?.();
      return refusal === undefined ? { status: 200, body: { status: 'ready' } } : notReady(refusal);
    },
    '/metrics': async () => ({
      status: 200,
      headers: { 'Content-Type': registry.contentType },
      body: await registry.metrics(),
    }),
  };
}

function notReady(reason: string): Reply {
  return { status: 503, headers: { 'Retry-After': 1 }, body: { status: 'not ready', reason } };
}
