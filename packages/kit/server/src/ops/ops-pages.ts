import { errorTexts } from '@contract-kit/core/errors';
import { ApiError } from '../http/api-error.ts';
import { isNameOfOurs } from '../http/host-names.ts';
import type { DatabaseHealth } from '../database/health.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { ResponseContent } from '../pipeline/respond.ts';
import type { Metrics } from '../metrics.ts';
import type { PageOf } from '../pipeline/serve-pages.ts';
import type { opsPaths } from '@contract-kit/core/http';

export interface OpsPagesOptions {
  readonly metrics: Metrics;
  readonly health: Pick<DatabaseHealth, 'fault' | 'isLost'>;
  readonly limiter: Pick<Limiter, 'fault'>;
  readonly isAccepting: () => boolean;
  /** The names of this service, in lower case, besides addresses and `localhost`. */
  readonly hostNames: readonly string[];
}

/** How old the check of the database may be in a response to nginx, in milliseconds. */
const MAX_AGE = 100;

/** Tells nginx whether this instance can serve what another one could not: see deploy/nginx.conf. */
export const nginxProbe =
  (options: OpsPagesOptions): PageOf =>
  () =>
    // Another check of a lost database may take long.
    options.health.isLost() ? notReady('the database is lost') : readiness(options, MAX_AGE);

export function opsPages(options: OpsPagesOptions): Record<(typeof opsPaths)[number], PageOf> {
  const { hostNames } = options;
  const { registry } = options.metrics;
  return {
    '/healthz': () => ({ status: 200, body: { status: 'ok' } }),
    '/readyz': () => readiness(options),
    '/metrics': async ({ headers: { host } }) => {
      if (!isNameOfOurs(host, hostNames)) throw misdirected();
      const body = await registry.metrics();
      return { status: 200, headers: { 'Content-Type': registry.contentType }, body };
    },
  };
}

async function readiness({ health, limiter, isAccepting }: OpsPagesOptions, age?: number) {
  if (!isAccepting()) return notReady('stopping');
  const fault = await health.fault(age);
  if (fault !== undefined) return notReady(`the database: ${fault}`);
  const refusal = limiter.fault?.();
  return refusal === undefined ? { status: 200, body: { status: 'ready' } } : notReady(refusal);
}

function misdirected(): ApiError {
  return new ApiError('invalid_request', errorTexts.UNKNOWN_HOST);
}

function notReady(reason: string): ResponseContent {
  return { status: 503, headers: { 'Retry-After': 1 }, body: { status: 'not ready', reason } };
}
