import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { CommandServices, Services, SharedServices } from './feature.ts';
import type { ServiceFeed } from './feed/feed.ts';
import type { Store } from './store/store.ts';

export interface ServicesOptions {
  readonly store: Store;
  readonly feed: ServiceFeed;
  readonly log: Logger;
  readonly metrics: Registry;
  readonly settings: object;
  readonly now: () => number;
}

/** The services that have no feature. */
export function sharedServicesOf({ store, ...rest }: ServicesOptions): SharedServices {
  return { ...rest, stores: store.features, transaction: transactionOf(store, rest.feed, '') };
}

/** The part of a feature's services that its commands have too. */
export function commandServicesOf(
  store: Store,
  feed: ServiceFeed,
  feature: string,
  readSettings: () => object,
): CommandServices<unknown> {
  return {
    stores: store.features,
    transaction: transactionOf(store, feed, feature),
    get settings() {
      return readSettings();
    },
    now: Date.now,
  };
}

/** The services of one feature. */
export function servicesOf(options: ServicesOptions, feature: string): Services<unknown> {
  const { store, feed, log } = options;
  return {
    ...sharedServicesOf(options),
    store: store.features[feature],
    transaction: transactionOf(store, feed, feature),
    log: log.child({ feature }),
  };
}

function transactionOf<Own>(
  { transaction }: Store,
  feed: ServiceFeed,
  feature: string,
): Services<Own>['transaction'] {
  return (work) =>
    feed.within(transaction, (stores, writer) =>
      work({ store: stores[feature] as Own, stores, feed: writer }),
    );
}
