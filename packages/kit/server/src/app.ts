import express, { type Express, type RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Contract } from '@contract-kit/core';
import type { Model } from '@contract-kit/core/model';
import { mcpPath, opsPaths } from '@contract-kit/core/http';
import { trusts } from './http/address.ts';
import type { DatabaseHealth } from './database/health.ts';
import type { FindKey } from './keys/identify.ts';
import type { Limiter } from './limits/limiter.ts';
import { docsPages, type DocsPagesOptions } from './docs/docs-pages.ts';
import { mcpEndpoint } from './mcp/mcp-endpoint.ts';
import { inProcessRequests } from './mcp/in-process-requests.ts';
import { nginxProbe, opsPages, type OpsPagesOptions } from './ops/ops-pages.ts';
import { servePages } from './pipeline/serve-pages.ts';
import { validateResponses } from './pipeline/validate-responses.ts';
import { requireSecurity } from './pipeline/require-security.ts';
import { openContext } from './pipeline/open-context.ts';
import { serviceMiddleware } from './pipeline/service-middleware.ts';
import { createServiceRoutes } from './pipeline/service-routes.ts';
import type { AppState } from './pipeline/request-context.ts';
import { crossOrigin } from './pipeline/cors.ts';
import { dispatch, type AnyHandler } from './pipeline/dispatch.ts';
import { errors, notFound } from './pipeline/errors.ts';
import { refuseOtherSites } from './pipeline/refuse-other-sites.ts';
import { authenticate } from './pipeline/authenticate.ts';
import { compose } from './pipeline/compose.ts';
import { rateLimit, type Ban } from './pipeline/rate-limit.ts';
import type { ResponseContent } from './pipeline/respond.ts';
import { route } from './pipeline/route.ts';
import { metricsAndLog } from './pipeline/metrics-and-log.ts';
import { respondEarly } from './pipeline/respond-early.ts';
import type { SafeRepeats } from './pipeline/safe-repeats.ts';
import { schemesOf } from './pipeline/schemes.ts';
import { trace } from './pipeline/trace.ts';
import { validate } from './pipeline/validate.ts';
import { waitForBody } from './pipeline/wait-for-body.ts';

/** Where nginx asks whether an instance is ready, also one with ADMIN_PORT. Clients of nginx cannot reach it. */
const NGINX_PROBE = '/.nginx/ready';

const probes = new Set<string>([...opsPaths, NGINX_PROBE]);

export interface AppOptions extends DocsPagesOptions, OpsPagesOptions {
  /** The address of health and metrics, if they have a separate port. */
  readonly opsPort?: number | undefined;
  readonly contract: Contract;
  /** Of the contract. */
  readonly model: Model;
  /** The most bytes of a body, as `largestBody` says. */
  readonly largestBody: number;
  /** Of the service. */
  readonly version: string;
  readonly state: AppState;
  readonly findKey: FindKey;
  /** Whether `findKey` knows tokens that are no API keys of the service. */
  readonly takesTokens: boolean;
  readonly limiter: Limiter;
  readonly log: Logger;
  /** Writes a line of JSON to the log. */
  readonly writeLine: (line: string) => void;
  readonly health: DatabaseHealth;
  readonly onBan: (ban: Ban) => void;
  /** Validates every response against the contract: an invalid one becomes a 500. */
  readonly validatesResponses: boolean;
  readonly corsOrigins: readonly string[];
  /** Addresses and CIDRs of proxies whose X-Forwarded-For is trusted. */
  readonly trustProxy: readonly string[];
  readonly safeRepeats: SafeRepeats;
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  /** Examples that replace handlers, by operationId. */
  readonly examples: Readonly<Record<string, ResponseContent>>;
  /** The service's own middleware. */
  readonly middleware: readonly RequestHandler[];
  /** Adds routes outside the contract. */
  readonly extend: (app: Express) => void;
}

/** Only health and metrics, for a separate port. */
export function createOpsApp(
  options: OpsPagesOptions & Pick<AppOptions, 'contract' | 'model' | 'state' | 'log' | 'health'>,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const onError = errors(options.log, options.health);
  app.use(
    compose(
      [openContext(options.state), route(options.contract, options.model, probes), respondEarly()],
      onError,
    ),
    servePages(opsPages(options)),
    notFound(),
    onError,
  );
  return app;
}

/** The service, in the order in which a request passes it. It does not listen: see listener/listener.ts. */
export async function createApp(options: AppOptions): Promise<Express> {
  const { contract, model, findKey, limiter, metrics, log, writeLine } = options;
  const { validatesResponses, corsOrigins, trustProxy } = options;
  const schemes = schemesOf(model, options.takesTokens ? 'token' : 'API key');
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('trust proxy', trusts(trustProxy));

  const onError = errors(log, options.health);
  const pages = {
    ...(options.opsPort === undefined && opsPages(options)),
    [NGINX_PROBE]: nginxProbe(options),
    ...docsPages({ ...options, errorBodies: options.state.errorBodies }),
  };
  const kitPaths = [...Object.keys(pages), mcpPath];
  const serviceRoutes = createServiceRoutes(contract, model, kitPaths);
  const stages = [
    // For every request, also rejected ones.
    openContext(options.state),
    metricsAndLog(metrics, log.isLevelEnabled('info') ? writeLine : () => undefined, probes), // metrics and the access log
    ...(validatesResponses ? [validateResponses(model, log)] : []),
    // The operation first, so that all later stages know it. `respondEarly` responds if there is none.
    route(contract, model, new Set(kitPaths), serviceRoutes.has),
    trace(contract),
    ...(corsOrigins.length > 0
      ? crossOrigin(corsOrigins, { contract, model, schemes, limiter, serviceRoutes })
      : []),
    ...refuseOtherSites(options), // before the key in a cookie is counted
    authenticate(findKey, schemes), // a key or an address, never a rejection
    rateLimit({ limiter, schemes, metrics, anonymousQuota: contract.anonymousQuota, onBan: options.onBan }), // counts, also what is rejected later
    respondEarly(), // what `route` did not find, OPTIONS, a malformed request
    waitForBody(options.largestBody), // all of it, or a rejection
    requireSecurity(contract, model, schemes), // unless the contract opens the operation to everyone
    ...serviceMiddleware(options.middleware),
    await validate(contract, model), // parameters and body
    dispatch(model, options), // the operation's handler, and `respond`
    mcpEndpoint({ ...options, schemes, send: inProcessRequests(app, options.state) }), // tools for agents
  ];
  app.use(compose(stages, onError));
  // Outside the base path.
  app.use(servePages(pages));
  serviceRoutes.add(app, options.extend);
  app.use(notFound());
  app.use(onError);
  return app;
}
