import { declaredJobs, handlersOf, type Features, type SharedServices } from '../feature.ts';
import { createJobAdder, type JobAdder } from '../jobs/job-adder.ts';
import { notYet, type AnyHandler } from '../pipeline/dispatch.ts';
import type { ResponseContent } from '../pipeline/respond.ts';
import { servicesOf, sharedServicesOf, type ServicesOptions } from '../services.ts';
import type { Stores } from './open-stores.ts';
import { warnIfUnfinished } from './notes.ts';
import type { Start } from './prepare-start.ts';

export interface Gathered {
  /** What the services of each feature are made of. */
  readonly work: ServicesOptions;
  readonly sharedServices: SharedServices;
  readonly handlers: Readonly<Record<string, AnyHandler>>;
  /** Examples that replace handlers, by operationId. */
  readonly examples: Readonly<Record<string, ResponseContent>>;
}

/** Makes the handlers of all features, and warns of those that are not finished. */
export function gatherHandlers<Of extends Features>(
  start: Start<Of>,
  { store, feed }: Pick<Stores<Of>, 'store' | 'feed'>,
): Gathered {
  const { service, config, log, metrics, model, now } = start;
  const jobs = createJobAdder(store.jobs, declaredJobs(service), now);
  const work = { store, feed, jobs, log, metrics: metrics.registry, settings: config.settings, now };
  const sharedServices = sharedServicesOf(work);
  const handlers = {
    ...handlersOf(service, (feature) => servicesOf(work, feature)),
    ...start.handlers,
  };
  const unfinished = model.operations.map(({ id }) => id).filter((id) => handlers[id] === notYet);
  const examples = Object.fromEntries(
    unfinished.flatMap((id) => {
      const example = start.demo && service.contract.examples[id];
      return example ? [[id, example]] : [];
    }),
  );
  const shown = Object.keys(examples).length;
  warnIfUnfinished(log, model, { unfinished: unfinished.length, shown });
  return { work, sharedServices, handlers: jobs.table ? traced(handlers, jobs) : handlers, examples };
}

/** `handlers` whose jobs get the trace of the request. */
function traced(handlers: Gathered['handlers'], jobs: JobAdder): Gathered['handlers'] {
  const tracedOf = (handler: AnyHandler): AnyHandler =>
    // It is marked as the other one is.
    Object.assign(
      ((input, context) => jobs.traced(context.traceId, () => handler(input, context))) satisfies AnyHandler,
      handler,
    );
  return Object.fromEntries(Object.entries(handlers).map(([id, handler]) => [id, tracedOf(handler)]));
}
