import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { createHandlers, type Services } from './handlers.ts';
import type { KeyRing } from './keys/key-ring.ts';
import type { Limiter } from './limits/limiter.ts';
import { pages, type PagesOptions } from './pages/pages.ts';
import { checkReplies } from './pipeline/check-replies.ts';
import { accessLog } from './pipeline/access-log.ts';
import { authorize } from './pipeline/authorize.ts';
import { begin } from './pipeline/begin.ts';
import { crossOrigin } from './pipeline/cors.ts';
import { dispatch } from './pipeline/dispatch.ts';
import { errors, notFound } from './pipeline/errors.ts';
import type { Handlers } from './pipeline/handler.ts';
import { identify } from './pipeline/identify.ts';
import { inOrder } from './pipeline/in-order.ts';
import { limit } from './pipeline/limit.ts';
import { match } from './pipeline/match.ts';
import { observe } from './pipeline/observe.ts';
import { refuse } from './pipeline/refuse.ts';
import { shed } from './pipeline/shed.ts';
import { validate } from './pipeline/validate.ts';
import { waitForBody } from './pipeline/wait-for-body.ts';

export interface AppOptions extends Services, PagesOptions {
  readonly keyRing: KeyRing;
  readonly limiter: Limiter;
  readonly log: Logger;
  /** Holds every reply against the contract: one that breaks it becomes a 500. False by default. */
  readonly checksReplies?: boolean;
  /** Origins that browsers may call the API from. */
  readonly corsOrigins: readonly string[];
  /** Addresses and CIDRs of proxies whose X-Forwarded-For is believed. */
  readonly trustProxy: readonly string[];
  /** The handlers of the contract's operations; a test may bring its own. */
  readonly handlers?: Handlers;
}

/** The service, in the order a request meets it. It does not listen: see listener/listener.ts. */
export async function createApp(options: AppOptions): Promise<Express> {
  const { keyRing, limiter, log, checksReplies = false, corsOrigins, trustProxy } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('trust proxy', trustProxy.length > 0 ? [...trustProxy] : false);

  app.use(
    inOrder(
      // What is known of every request, whatever becomes of it.
      begin(),
      accessLog(log),
      observe(),
      ...(checksReplies ? [checkReplies(log)] : []),
      // Which operation it is for: decided first, so that all that follows knows it, and answered by `refuse`.
      match(),
      ...(corsOrigins.length > 0 ? [crossOrigin(corsOrigins, limiter)] : []),
      shed(limiter), // 503 for what is one too many
      identify(keyRing), // a key or an address, never a refusal
      limit(limiter), // 429
      refuse(), // 404 and 405 of `match`, OPTIONS, a malformed request
      waitForBody(), // 400 and 408 for one that breaks off
      authorize(), // 401, unless the contract opens the operation to everyone
      await validate(), // 400 and 415
      dispatch(options.handlers ?? createHandlers(options)), // the operation's handler, and `reply`
    ),
  );
  // Outside the base path.
  app.use(pages(options));
  app.use(notFound());
  // Whatever a stage or a handler has thrown.
  app.use(errors(log));
  return app;
}
