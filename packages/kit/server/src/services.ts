import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { CommandServices, Services, SharedServices } from './feature.ts';
import type { JobAdder } from './jobs/job-adder.ts';
import type { Store } from './store/store.ts';

export interface ServicesOptions {
  readonly store: Store;
  readonly jobs: JobAdder;
  readonly log: Logger;
  readonly metrics: Registry;
  readonly settings: object;
  readonly now: () => number;
}

/** The services that have no feature. */
export function sharedServicesOf({ store, jobs, ...rest }: ServicesOptions): SharedServices {
  const { features: stores } = store;
  return { ...rest, stores, transaction: transactionOf(store, jobs, ''), jobs: jobs.alone };
}

/** The part of a feature's services that its commands have too. */
export function commandServicesOf(
  store: Store,
  jobs: JobAdder,
  feature: string,
  readSettings: () => object,
): CommandServices<unknown> {
  return {
    stores: store.features,
    transaction: transactionOf(store, jobs, feature),
    jobs: jobs.alone,
    get settings() {
      return readSettings();
    },
    now: Date.now,
  };
}

/** The services of one feature. */
export function servicesOf(options: ServicesOptions, feature: string): Services<unknown> {
  const { store, jobs, log } = options;
  return {
    ...sharedServicesOf(options),
    store: store.features[feature],
    transaction: transactionOf(store, jobs, feature),
    log: log.child({ feature }),
  };
}

function transactionOf<Own>(
  { transaction }: Store,
  jobs: JobAdder,
  feature: string,
): Services<Own>['transaction'] {
  return async (work) => {
    let added = false;
    const result = await transaction(async (stores, query) => {
      const within = jobs.within(query);
      const result = await work({ store: stores[feature] as Own, stores, jobs: within });
      added = within.hasAdded;
      return result;
    });
    if (added) jobs.wake();
    return result;
  };
}
