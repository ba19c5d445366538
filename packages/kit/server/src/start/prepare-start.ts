import { readModel, type Model } from '@contract-kit/core/model';
import type { Response } from 'express';
import type { Logger } from 'pino';
import type { AppOptions } from '../app.ts';
import type { Config } from '../config.ts';
import type { Features, ServiceDefinition } from '../feature.ts';
import { apiKeyFormat } from '../keys/api-key.ts';
import type { AnyHandler } from '../pipeline/dispatch.ts';
import { createFlushAtEndOfTick } from '../pipeline/flush-at-end-of-tick.ts';
import type { AppState } from '../pipeline/request-context.ts';
import { createListPlaces, createStreams } from '../pipeline/streams.ts';
import { createErrorBodies } from '../validation/error-bodies.ts';
import { createLifetime, type Lifetime } from './lifetime.ts';

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
  /** Whether jobs run with the background work, by default. */
  readonly runsJobs?: boolean;
  /** How long work with `once` waits after it got its lock, in milliseconds; long enough unless a test replaces it. */
  readonly handover?: number | undefined;
}

/** What all steps of a start know. */
export interface Start<Of extends Features = Features> extends ServiceOptions {
  readonly service: ServiceDefinition<Of>;
  readonly model: Model;
  readonly now: () => number;
  readonly monotonic: () => number;
  readonly state: AppState;
  readonly lifetime: Lifetime;
}

/** Opens nothing yet. Throws an OperatorError if the contract needs bodies of errors that the service does not make. */
export function prepareStart<Of extends Features>(
  service: ServiceDefinition<Of>,
  options: ServiceOptions,
): Start<Of> {
  const { config, log, now = Date.now, monotonic = () => performance.now() } = options;
  const { contract } = service;
  const model = options.model ?? readModel(contract.document);
  const state = {
    log,
    keyFormat: apiKeyFormat(contract.keyPrefix),
    lists: createListPlaces(),
    streams: createStreams(config.maxConnections),
    flushAtEndOfTick: createFlushAtEndOfTick(),
    errorBodies: createErrorBodies(model, service.errorBody),
    toolResponses: new Set<Response>(),
  };
  return { ...options, service, model, now, monotonic, state, lifetime: createLifetime() };
}
