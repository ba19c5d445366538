import type { DatabaseHealth } from '../database/health.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { ResponseContent } from '../pipeline/respond.ts';
import type { Metrics } from '../metrics.ts';
import type { Pages } from '../pipeline/serve-pages.ts';

export interface OpsPagesOptions {
  readonly metrics: Metrics;
  readonly health: Pick<DatabaseHealth, 'fault'>;
  readonly limiter: Pick<Limiter, 'fault'>;
  readonly isAccepting: () => boolean;
}

export const opsPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

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

function notReady(reason: string): ResponseContent {
  return { status: 503, headers: { 'Retry-After': 1 }, body: { status: 'not ready', reason } };
}
