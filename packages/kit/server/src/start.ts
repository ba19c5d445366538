import type { Model } from '@contract-kit/core/model';
import { startBackground } from './background.ts';
import type { Features, ServiceDefinition } from './feature.ts';
import type { JobRunner } from './jobs/run-jobs.ts';
import type { Listener } from './listener/listener.ts';
import { servicesOf, type ServicesOptions } from './services.ts';
import { gatherHandlers } from './start/gather-handlers.ts';
import { warnIfMisfit, warnIfOpen } from './start/notes.ts';
import { openPorts } from './start/open-ports.ts';
import { openStores } from './start/open-stores.ts';
import { prepareJobs } from './start/start-jobs.ts';
import { prepareStart, type ServiceOptions, type Start } from './start/prepare-start.ts';
import { wireListener, createWiring } from './start/wire.ts';
import type { Store } from './store/store.ts';

export interface Service<Of extends Features = Features> {
  /** Where it listens, without the base path, such as `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** The address of health and metrics, if they have a separate port. */
  readonly opsOrigin: string | undefined;
  readonly store: Store<Of>;
  readonly jobs: {
    /** Runs the jobs that are due, and those that they add, until none is due. Resolves to the number of runs. */
    readonly drain: () => Promise<number>;
  };
  /** The contract as it is served. */
  readonly model: Model;
  /** Fails `/readyz` for `delay` milliseconds, then stops accepting, drains within the grace period, and saves. */
  readonly stop: (delay?: number) => Promise<void>;
}

/** Creates the service and starts it. Throws an OperatorError if the operator must fix something. */
export async function startService<Of extends Features>(
  service: ServiceDefinition<Of>,
  options: ServiceOptions,
): Promise<Service<Of>> {
  const start = prepareStart(service, options);
  const { log, model, lifetime } = start;
  try {
    const stores = await openStores(start);
    const wiring = createWiring(start, stores);
    const gathered = gatherHandlers(start, stores);
    warnIfOpen(log, model);
    warnIfMisfit(log, service.contract);
    const listener = await wireListener(start, stores, gathered, wiring);
    const origins = await openPorts(start, listener, wiring);
    const jobs = await prepareJobs(start, gathered.work);
    runUntilStop(start, listener, gathered.work, jobs);
    const drain = async () => (await jobs?.drain()) ?? 0;
    return { ...origins, store: stores.store, jobs: { drain }, model, stop: (delay) => lifetime.stop(delay) };
  } catch (error) {
    await lifetime.close();
    throw error;
  }
}

/** Starts background work and jobs, if they are wanted, and has them stopped and the listener drained before all else closes. */
function runUntilStop(
  start: Start,
  listener: Listener,
  work: ServicesOptions,
  jobs: JobRunner | undefined,
): void {
  const { service, config, log, metrics, state, lifetime } = start;
  const { store } = work;
  const stopBackground =
    start.background &&
    startBackground({
      ...service,
      store,
      metrics,
      log,
      servicesOf: (feature, transaction = store.transaction) =>
        servicesOf({ ...work, store: { ...store, transaction } }, feature),
    });
  if (start.background && start.runsJobs !== false) jobs?.start();
  lifetime.onClose(async () => {
    const grace = config.shutdownGraceSeconds * 1000;
    const stopped = Promise.all([stopBackground && stopBackground(grace), jobs?.stop(grace)]);
    const delay = lifetime.delay();
    const cut = await listener.drain({ grace, delay, stopStreams: () => state.streams.stop() });
    await stopped;
    if (cut > 0) log.warn({ connections: cut }, 'connections were cut off at the end of the grace period');
  });
}
