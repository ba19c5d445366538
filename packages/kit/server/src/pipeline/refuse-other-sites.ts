import type { Contract } from '@contract-kit/core';
import { refusesOtherSites, type Model } from '@contract-kit/core/model';
import type { Request, RequestHandler } from 'express';
import { pipelineError } from '../http/api-error.ts';
import type { Limiter } from '../limits/limiter.ts';
import { peekAddress } from './rate-limit.ts';
import { requestContextOf } from './request-context.ts';

export interface OtherSitesOptions {
  readonly contract: Contract;
  readonly model: Model;
  readonly limiter: Limiter;
  /** The origins whose pages may call the service. */
  readonly corsOrigins: readonly string[];
  readonly publicUrl?: string | undefined;
}

/**
 * Rejects what pages of other sites send to operations that take cookies: browsers add those of the reader, who may know
 * nothing of it. It is not counted, so that it uses up no quota of the reader. No stage if no operation takes cookies.
 */
export function refuseOtherSites(options: OtherSitesOptions): RequestHandler[] {
  const { contract, model, limiter, corsOrigins, publicUrl } = options;
  const operations = model.operations.filter((operation) => refusesOtherSites(operation, model));
  if (operations.length === 0) return [];
  const guarded = new Set(operations.map(({ id }) => id));
  const isAllowed = (req: Request): boolean => {
    const { origin, 'sec-fetch-site': site } = req.headers;
    const url = urlOf(origin ?? '');
    if (url && corsOrigins.includes(url.origin)) return true;
    if (site !== undefined) return site === 'same-origin' || site === 'none';
    if (origin === undefined) return true;
    return url !== undefined && (url.origin === publicUrl || isOfService(url, req));
  };
  const refuse = async (req: Request): Promise<never> => {
    const { headers, ip } = requestContextOf(req);
    Object.assign(headers, await peekAddress(limiter, contract, ip));
    throw pipelineError('cross_origin_request');
  };
  return [
    (req, _res, next) => {
      const { match } = requestContextOf(req);
      if (match.kind === 'operation' && guarded.has(match.operationId) && !isAllowed(req)) return refuse(req);
      next();
      return undefined;
    },
  ];
}

/** In lower case, and without the default port; undefined for `null`, and for what is no origin of the web. */
function urlOf(origin: string): URL | undefined {
  return /^https?:\/\/[^\s/\\?#@]+$/i.test(origin) && URL.canParse(origin) ? new URL(origin) : undefined;
}

/** Browsers that send no `Sec-Fetch-Site` are old, or have reached the service over plain http. */
function isOfService(url: URL, { protocol, host }: Request): boolean {
  // The service does not see the TLS of a proxy that it does not trust.
  if (protocol === 'https' && url.protocol !== 'https:') return false;
  return urlOf(`${url.protocol}//${host}`)?.host === url.host;
}
