import { hostname } from 'node:os';
import { hasStream } from '@contract-kit/core/model';
import { createApp, type AppOptions } from '../app.ts';
import { identifyBy } from '../keys/identify.ts';
import { createListener, type Listener } from '../listener/listener.ts';
import { largestBody } from '../pipeline/wait-for-body.ts';
import { watchCallers } from '../pipeline/watch-callers.ts';
import type { Gathered } from './gather-handlers.ts';
import { banNotes } from './notes.ts';
import type { Stores } from './open-stores.ts';
import type { Start } from './prepare-start.ts';

/** What the app, the listener and the app of the separate port all take. */
export type Wiring = Pick<
  AppOptions,
  | 'contract'
  | 'model'
  | 'largestBody'
  | 'state'
  | 'metrics'
  | 'limiter'
  | 'health'
  | 'log'
  | 'hostNames'
  | 'isAccepting'
>;

export function createWiring(
  { service, config, model, state, metrics, log, lifetime }: Start,
  { limiter, health }: Stores,
): Wiring {
  const named = config.publicUrl === undefined ? [] : [new URL(config.publicUrl).hostname];
  return {
    hostNames: [...named, config.host, hostname()].map((name) => name.toLowerCase()),
    contract: service.contract,
    model,
    largestBody: largestBody(model),
    state,
    metrics,
    limiter,
    health,
    log,
    isAccepting: lifetime.isAccepting,
  };
}

/** Puts the app behind a listener, which does not listen yet, and watches the callers of its responses. */
export async function wireListener(
  start: Start,
  stores: Stores,
  { sharedServices, handlers, examples }: Gathered,
  wiring: Wiring,
): Promise<Listener> {
  const { service, config, log, metrics, model, state, now, monotonic, lifetime } = start;
  const { store, safeRepeats, keyCache } = stores;
  const { authenticate, middleware = [], extend } = service;
  const identify = identifyBy(keyCache, {
    plans: service.contract.plans,
    authenticate: authenticate && ((token, request) => authenticate(token, request, sharedServices)),
    now,
    monotonic,
  });
  const app = await createApp({
    ...config,
    ...wiring,
    version: service.version,
    writeLine: start.writeLine,
    onBan: banNotes({ ...store, log, now }),
    safeRepeats,
    findKey: identify.find,
    takesTokens: authenticate !== undefined,
    validatesResponses: start.validatesResponses,
    handlers,
    examples,
    middleware: typeof middleware === 'function' ? middleware(sharedServices) : middleware,
    extend: (app) => extend?.(app, sharedServices),
  });
  if (model.operations.some(hasStream)) metrics.observeStreams(state.streams.count);
  const listener = createListener({ ...config, ...wiring, app });
  lifetime.onClose(
    watchCallers({
      ...wiring,
      responses: () => [...listener.responses(), ...state.toolResponses],
      findAgain: identify.findAgain,
      monotonic,
    }),
  );
  return listener;
}
