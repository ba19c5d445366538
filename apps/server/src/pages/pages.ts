import { basePath } from '@petstore/contract';
import { document } from '@petstore/contract/document';
import { Router, type RequestHandler } from 'express';
import { stringify } from 'yaml';
import { StoreUnavailable } from '../http/api-error.ts';
import { reply, type Reply } from '../http/reply.ts';
import { registry } from '../metrics.ts';
import { methodNotAllowed } from '../pipeline/match.ts';
import type { Store } from '../storage/store.ts';
import { docs } from './docs.ts';

export interface PagesOptions extends Pick<Store, 'ping'> {
  readonly isAccepting: () => boolean;
}

type Answer = () => Reply | Promise<Reply>;

/** Everything outside the API: the docs, the document, health and metrics. */
export function pages({ ping, isAccepting }: PagesOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const served = servedDocument();
  const asYaml = stringify(served);

  page(router, '/openapi.json', () => ({ status: 200, body: served }));
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

function page(router: Router, path: string, answer: Answer): void {
  const get: RequestHandler = async (req, res) => {
    await reply(req, res, await answer());
  };
  router.get(path, get);
  onlyGet(router, path);
}

/** Answers OPTIONS, and refuses every method that a page does not have. */
export function onlyGet(router: Router, path: string): void {
  const allow = 'GET, HEAD, OPTIONS';
  router.all(path, async (req, res) => {
    if (req.method !== 'OPTIONS') throw methodNotAllowed(req.method, allow);
    await reply(req, res, { status: 204, headers: { Allow: allow } });
  });
}

function notReady(reason: string): Reply {
  return { status: 503, headers: { 'Retry-After': 1 }, body: { status: 'not ready', reason } };
}

/** The contract as served lists this very server first, so that the docs page talks to it. */
function servedDocument(): Record<string, unknown> {
  const servers = document['servers'] as { url: string }[];
  return { ...document, servers: [{ url: basePath, description: 'This server' }, ...servers] };
}
