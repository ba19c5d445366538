import http from 'node:http';
import { hostname } from 'node:os';
import { type Contract, isFitting, VERSION } from '@contract-kit/core';
import { hasStream, readModel, type Model } from '@contract-kit/core/model';
import type { Express, Response } from 'express';
import type { Logger } from 'pino';
import { startBackground } from './background.ts';
import { createOpsApp, createApp, type AppOptions } from './app.ts';
import type { Config } from './config.ts';
import { watchDatabase } from './database/health.ts';
import { StoreUnavailable } from './database/store-unavailable.ts';
import { listen, noteAcceptError } from './listener/listen.ts';
import { createListener, toOriginForm } from './listener/listener.ts';
import { handlersOf, type Features, type ServiceDefinition } from './feature.ts';
import { createResponseStore } from './idempotency/response-store.ts';
import { apiKeyFormat } from './keys/api-key.ts';
import { createApiKeyCache } from './keys/api-key-cache.ts';
import { identifyBy } from './keys/identify.ts';
import { openLimiter } from './limits/open-limiter.ts';
import { notYet, type AnyHandler } from './pipeline/dispatch.ts';
import { createFlushAtEndOfTick } from './pipeline/flush-at-end-of-tick.ts';
import type { Ban } from './pipeline/rate-limit.ts';
import { createSafeRepeats } from './pipeline/safe-repeats.ts';
import { createListPlaces, createStreams } from './pipeline/streams.ts';
import { openServerSpan } from './pipeline/trace.ts';
import { largestBody } from './pipeline/wait-for-body.ts';
import { watchCallers } from './pipeline/watch-callers.ts';
import { createErrorBodies } from './validation/error-bodies.ts';
import { servicesOf, sharedServicesOf } from './services.ts';
import { lockDataDir } from './store/data-dir-lock.ts';
import { openStore } from './store/open-store.ts';
import type { Store } from './store/store.ts';

export interface Service<Of extends Features = Features> {
  /** Where it listens, without the base path, such as `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** The address of health and metrics, if they have a separate port. */
  readonly opsOrigin: string | undefined;
  readonly store: Store<Of>;
  /** The contract as it is served. */
  readonly model: Model;
  /** Fails `/readyz` for `delay` milliseconds, then stops accepting, drains within the grace period, and saves. */
  readonly stop: (delay?: number) => Promise<void>;
}

export interface ServiceOptions extends Pick<AppOptions, 'writeLine' | 'validatesResponses' | 'metrics'> {
  readonly config: Config;
  readonly log: Logger;
  /** The model of the contract, if it was read already. */
  readonly model?: Model;
  /** The time in epoch milliseconds; the system's clock unless a test replaces it. */
  readonly now?: () => number;
  /** Milliseconds that only go forward; the system's unless a test replaces them. */
  readonly monotonic?: () => number;
  /** Handlers of a test, which replace some of the features'. */
  readonly handlers?: Readonly<Record<string, AnyHandler>>;
  /** Accepts demonstration keys, and responds with examples if a handler is `notYet`. */
  readonly demo?: boolean;
  /** Runs the background work of the features. */
  readonly background?: boolean;
  /** How long work with `once` waits after it got its lock, in milliseconds; long enough unless a test replaces it. */
  readonly handover?: number | undefined;
}

/** Creates the service and starts it. Throws an OperatorError if the operator must fix something. */
export async function startService<Of extends Features>(
  service: ServiceDefinition<Of>,
  options: ServiceOptions,
): Promise<Service<Of>> {
  const { config, log, metrics, writeLine, validatesResponses, now = Date.now } = options;
  const { monotonic = () => performance.now() } = options;
  const { contract } = service;
  const model = options.model ?? readModel(contract.document);
  const { operations } = model;
  const keyFormat = apiKeyFormat(contract.keyPrefix);
  const state = {
    log,
    keyFormat,
    lists: createListPlaces(),
    streams: createStreams(config.maxConnections),
    flushAtEndOfTick: createFlushAtEndOfTick(),
    errorBodies: createErrorBodies(model, service.errorBody),
    toolResponses: new Set<Response>(),
  };
  const closing: (() => unknown)[] = [];
  const close = async () => {
    for (const item of closing.splice(0).reverse()) await item();
  };
  try {
    const isShared = config.databaseUrl !== undefined && config.redisUrl !== undefined;
    if (!isShared) closing.push(lockDataDir(config.dataDir, contract.databaseFile));
    if (config.databaseUrl !== undefined && !isShared) {
      log.warn(
        'DATABASE_URL without REDIS_URL: limits are counted in this process, so run one instance only',
      );
    }
    const opened = await openStore(service, {
      ...config,
      handover: options.handover,
      onPool: (pool) => metrics.observePool(pool),
      onError: (error) => {
        log.warn({ err: error }, 'a database connection was lost');
      },
    });
    closing.push(() => opened.close());
    const responses = createResponseStore(opened.responses, now);
    closing.push(() => responses.close());
    const safeRepeats = createSafeRepeats(responses);
    const store = { ...opened, transaction: safeRepeats.keeping(opened.transaction) };
    if (!options.demo && (await store.keys.hasDemoKey())) log.warn(demoNote(config));
    const health = watchDatabase({ ...store, log });
    closing.push(() => health.close());
    const keyCache = createApiKeyCache({
      format: keyFormat,
      keys: store.keys,
      acceptsDemoKeys: options.demo,
      now,
      monotonic,
      onError: (error) => {
        log.warn({ err: withoutRepetition(error) }, 'the last use of keys could not be stored');
      },
    });
    closing.push(() => keyCache.close());
    const limiter = await openLimiter({ name: contract.name, config, metrics, log, now });
    closing.push(() => limiter.close());

    let accepting = true;
    const named = config.publicUrl === undefined ? [] : [new URL(config.publicUrl).hostname];
    const hostNames = [...named, config.host, hostname()].map((name) => name.toLowerCase());
    const watched = {
      hostNames,
      contract,
      model,
      largestBody: largestBody(model),
      state,
      metrics,
      limiter,
      health,
      log,
      isAccepting: () => accepting,
    };
    const onBan = banNotes({ ...store, log, now });
    const work = { store, log, metrics: metrics.registry, settings: config.settings, now };
    const sharedServices = sharedServicesOf(work);
    const { authenticate, middleware = [], extend } = service;
    const handlers = {
      ...handlersOf(service, (feature) => servicesOf(work, feature)),
      ...options.handlers,
    };
    const unfinished = operations.map(({ id }) => id).filter((id) => handlers[id] === notYet);
    const examples = Object.fromEntries(
      unfinished.flatMap((id) => {
        const example = options.demo && contract.examples[id];
        return example ? [[id, example]] : [];
      }),
    );
    const shown = Object.keys(examples).length;
    for (const [count, what] of [
      [shown, 'respond with examples'],
      [unfinished.length - shown, 'are not implemented and respond with 501'],
    ] as const)
      if (count > 0) log.warn(`${count} of ${operations.length} operations ${what}`);
    warnIfOpen(log, model);
    warnIfMisfit(log, contract);
    const identify = identifyBy(keyCache, {
      plans: contract.plans,
      authenticate: authenticate && ((token, request) => authenticate(token, request, sharedServices)),
      now,
      monotonic,
    });
    const app = await createApp({
      ...config,
      ...watched,
      version: service.version,
      writeLine,
      onBan,
      safeRepeats,
      findKey: identify.find,
      takesTokens: authenticate !== undefined,
      validatesResponses,
      handlers,
      examples,
      middleware: typeof middleware === 'function' ? middleware(sharedServices) : middleware,
      extend: (app) => extend?.(app, sharedServices),
    });
    if (operations.some(hasStream)) metrics.observeStreams(state.streams.count);
    const listener = createListener({ ...config, ...watched, app });
    closing.push(
      watchCallers({
        ...watched,
        responses: () => [...listener.responses(), ...state.toolResponses],
        findAgain: identify.findAgain,
        monotonic,
      }),
    );
    // First: if its port is taken, the other listener has nothing to drain yet.
    const admin = config.opsPort !== undefined && opsServer(createOpsApp(watched), watched);
    const opsOrigin = admin
      ? await listen(admin, { host: config.host, port: config.opsPort, setting: 'ADMIN_PORT' })
      : undefined;
    if (admin) {
      closing.push(() => {
        admin.close();
        admin.closeAllConnections();
      });
    }
    const origin = await listen(listener.server, { ...config, setting: '--port' });
    let delay = 0;
    const stopBackground =
      options.background &&
      startBackground({
        ...service,
        store,
        metrics,
        log,
        servicesOf: (feature, transaction = store.transaction) =>
          servicesOf({ ...work, store: { ...store, transaction } }, feature),
      });
    closing.push(async () => {
      const grace = config.shutdownGraceSeconds * 1000;
      const stopped = stopBackground && stopBackground(grace);
      const cut = await listener.drain({ grace, delay, stopStreams: () => state.streams.stop() });
      await stopped;
      if (cut > 0) log.warn({ connections: cut }, 'connections were cut off at the end of the grace period');
    });

    return {
      origin,
      opsOrigin,
      store,
      model,
      async stop(before = 0) {
        accepting = false;
        delay = before;
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What plain `serve` says of a store that `--demo` has filled. */
function demoNote({ databaseUrl, dataDir }: Config): string {
  const wayOut =
    databaseUrl === undefined
      ? `use another DATA_DIR than ${dataDir} to begin again, or --demo to accept the key`
      : 'use another DATABASE_URL to begin again';
  return `the store has demonstration data, and its demonstration keys are refused: ${wayOut}`;
}

function opsServer(app: Express, { log, state }: Pick<AppOptions, 'log' | 'state'>): http.Server {
  const server = http.createServer((req, res) => {
    openServerSpan(req, state.keyFormat);
    toOriginForm(req);
    app(req, res);
  });
  return server.on('error', (error) => noteAcceptError(log, server, error));
}

/** Warns of code that was generated by a version of the kit with another API. */
function warnIfMisfit(log: Logger, { generator }: Contract): void {
  if (!isFitting(generator))
    log.warn(`contract-kit is ${VERSION}, and ${generator} generated the code: run \`npm run generate\``);
}

/** Warns in one line that nobody needs a key, if the contract has no security. */
function warnIfOpen(log: Logger, { operations }: Model): void {
  if (operations.length > 0 && operations.every(({ security }) => security.length === 0))
    log.warn(`all ${operations.length} operations are open to everyone: the contract has no security`);
}

/** A StoreUnavailable repeats the message of its cause, and the log shows both. */
function withoutRepetition(error: unknown): unknown {
  return error instanceof StoreUnavailable ? error.cause : error;
}

/** Records each ban in the log and the audit log. */
function banNotes({ keys, log, now }: Pick<Store, 'keys'> & { log: Logger; now: () => number }) {
  return ({ key, address, until }: Ban): void => {
    const ban = { keyId: key.id, plan: key.plan, address, until, code: 'api_key_banned' };
    log.warn(ban, 'key banned');
    const at = new Date(now()).toISOString();
    keys.recordAudit({ action: 'banned', keyId: key.id, actor: 'service', at }).catch((error: unknown) => {
      const failure = { err: withoutRepetition(error), keyId: key.id, code: 'service_unavailable' };
      log.error(failure, 'a ban could not be added to the audit log');
    });
  };
}
