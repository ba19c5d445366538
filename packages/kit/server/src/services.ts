import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { CommandServices, Services, SharedServices } from './feature.ts';
import type { ServiceFeed } from './feed/feed.ts';
import type { JobAdder } from './jobs/job-adder.ts';
import type { Store } from './store/store.ts';

export interface ServicesOptions {
  readonly store: Store;
  readonly feed: ServiceFeed;
  readonly jobs: JobAdder;
  readonly log: Logger;
  readonly metrics: Registry;
  readonly settings: object;
  readonly now: () => number;
}

/** The services that have no feature. */
export function sharedServicesOf({ store, feed, jobs, ...rest }: ServicesOptions): SharedServices {
  const transaction = transactionOf<undefined>({ store, feed, jobs }, '');
  return { ...rest, stores: store.features, transaction, feed, jobs: jobs.alone };
}

/** The part of a feature's services that its commands have too. */
export function commandServicesOf(
  given: Pick<ServicesOptions, 'store' | 'feed' | 'jobs'>,
  feature: string,
  readSettings: () => object,
): CommandServices<unknown> {
  return {
    stores: given.store.features,
    transaction: transactionOf(given, feature),
    jobs: given.jobs.alone,
    get settings() {
      return readSettings();
    },
    now: Date.now,
  };
}

/** The services of one feature. */
export function servicesOf(options: ServicesOptions, feature: string): Services<unknown> {
  return {
    ...sharedServicesOf(options),
    store: options.store.features[feature],
    transaction: transactionOf(options, feature),
    log: options.log.child({ feature }),
  };
}

function transactionOf<Own>(
  { store, feed, jobs }: Pick<ServicesOptions, 'store' | 'feed' | 'jobs'>,
  feature: string,
): Services<Own>['transaction'] {
  return async (work) => {
    let added = false;
    const result = await feed.within(store.transaction, async (stores, writer, query) => {
      const within = jobs.within(query);
      const result = await work({ store: stores[feature] as Own, stores, feed: writer, jobs: within });
      added = within.hasAdded;
      return result;
    });
    if (added) jobs.wake();
    return result;
  };
}
