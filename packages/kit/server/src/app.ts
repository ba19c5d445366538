import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { createHandlers, type Services } from './handlers.ts';
import { trusts } from './http/address.ts';
import type { DatabaseHealth } from './database/health.ts';
import type { KeyRing } from './keys/key-ring.ts';
import type { Limiter } from './limits/limiter.ts';
import {
  adminPages,
  operatorPages,
  pages,
  type AdminPagesOptions,
  type PagesOptions,
} from './pages/pages.ts';
import { servePages } from './pages/serve-pages.ts';
import { checkReplies } from './pipeline/check-replies.ts';
import { authorize } from './pipeline/authorize.ts';
import { begin } from './pipeline/begin.ts';
import { crossOrigin } from './pipeline/cors.ts';
import { dispatch } from './pipeline/dispatch.ts';
import { errors, notFound } from './pipeline/errors.ts';
import type { Handlers } from './pipeline/handler.ts';
import { identify } from './pipeline/identify.ts';
import { inOrder } from './pipeline/in-order.ts';
import { limit, type Ban } from './pipeline/limit.ts';
import { match } from './pipeline/match.ts';
import { observe } from './pipeline/observe.ts';
import { refuse } from './pipeline/refuse.ts';
import { trace } from './pipeline/trace.ts';
import { validate } from './pipeline/validate.ts';
import { waitForBody } from './pipeline/wait-for-body.ts';

export interface AppOptions extends Services, PagesOptions {
  readonly keyRing: KeyRing;
  readonly limiter: Limiter;
  readonly log: Logger;
  /** Writes a line of JSON to the log. */
  readonly writeLine: (line: string) => void;
  readonly health: DatabaseHealth;
  /** Told of each ban, once. */
  readonly onBan: (ban: Ban) => void;
  /** Holds every reply against the contract: one that breaks it becomes a 500. */
  readonly checksReplies: boolean;
  /** Origins that browsers may call the API from. */
  readonly corsOrigins: readonly string[];
  /** Addresses and CIDRs of proxies whose X-Forwarded-For is believed. */
  readonly trustProxy: readonly string[];
  /** A test's own handlers, in place of some of the contract's. */
  readonly handlers?: Partial<Handlers> | undefined;
}

/** Health and metrics alone, for a port of their own. */
export function createAdminApp(options: AdminPagesOptions & Pick<AppOptions, 'log' | 'health'>): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const onError = errors(options.log, options.health);
  app.use(
    inOrder([begin(), match(), refuse()], onError),
    servePages(adminPages(options)),
    notFound(),
    onError,
  );
  return app;
}

/** The service, in the order a request meets it. It does not listen: see listener/listener.ts. */
export async function createApp(options: AppOptions): Promise<Express> {
  const { keyRing, limiter, log, writeLine, checksReplies, corsOrigins, trustProxy } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('trust proxy', trusts(trustProxy));

  // Whatever a stage or a handler has thrown.
  const onError = errors(log, options.health);
  const stages = [
    // What is known of every request, whatever becomes of it.
    begin(),
    observe(log.isLevelEnabled('info') ? writeLine : () => undefined, operatorPages), // metrics and the access log
    ...(checksReplies ? [checkReplies(log)] : []),
    // Which operation it is for: decided first, so that all that follows knows it, and answered by `refuse`.
    match(),
    trace(),
    ...(corsOrigins.length > 0 ? crossOrigin(corsOrigins, limiter) : []),
    identify(keyRing), // a key or an address, never a refusal
    limit(limiter, options.onBan), // 429
    refuse(), // 404 and 405 of `match`, OPTIONS, a malformed request
    waitForBody(), // 400 and 408 for one that breaks off
    authorize(), // 401, unless the contract opens the operation to everyone
    await validate(), // 400 and 415
    dispatch({ ...createHandlers(options), ...options.handlers }), // the operation's handler, and `reply`
  ];
  app.use(inOrder(stages, onError));
  // Outside the base path.
  app.use(servePages(pages(options)));
  app.use(notFound());
  app.use(onError);
  return app;
}
