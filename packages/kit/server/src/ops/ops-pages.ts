import { ApiError } from '../http/api-error.ts';
import { isNameOfOurs } from '../http/host-names.ts';
import type { DatabaseHealth } from '../database/health.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { ResponseContent } from '../pipeline/respond.ts';
import type { Metrics } from '../metrics.ts';
import type { PageOf } from '../pipeline/serve-pages.ts';
import type { opsPaths } from '@contract-kit/core/own-paths';

export interface OpsPagesOptions {
  readonly metrics: Metrics;
  readonly health: Pick<DatabaseHealth, 'fault'>;
  readonly limiter: Pick<Limiter, 'fault'>;
  readonly isAccepting: () => boolean;
  /** The names of this service, beside addresses and names without a dot. */
  readonly hostNames: readonly string[];
}

export function opsPages(options: OpsPagesOptions): Record<(typeof opsPaths)[number], PageOf> {
  const { health, limiter, isAccepting, hostNames } = options;
  const { registry } = options.metrics;
  return {
    '/healthz': () => ({ status: 200, body: { status: 'ok' } }),
    '/readyz': async () => {
      if (!isAccepting()) return notReady('stopping');
      const fault = await health.fault();
      if (fault !== undefined) return notReady(`the database: ${fault}`);
      const refusal = limiter.fault?.();
      return refusal === undefined ? { status: 200, body: { status: 'ready' } } : notReady(refusal);
    },
    '/metrics': async ({ headers: { host } }) => {
      if (!isNameOfOurs(host, hostNames)) throw misdirected();
      const body = await registry.metrics();
      return { status: 200, headers: { 'Content-Type': registry.contentType }, body };
    },
  };
}

function misdirected(): ApiError {
  return new ApiError(
    'invalid_request',
    'The Host of this request is not known here. Use an IP address, or the host of PUBLIC_URL or HOST.',
  );
}

function notReady(reason: string): ResponseContent {
  return { status: 503, headers: { 'Retry-After': 1 }, body: { status: 'not ready', reason } };
}
