import type { Migrations } from '../database/migrations.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { Database } from '../database/sql.ts';
import type { Features, ServiceDefinition, StoresOf } from '../feature.ts';
import { FEED, feedMigrations, ENTRIES_KEPT_FOR, type TopicOptions } from '../feed/topics.ts';
import type { Store } from './store.ts';

/** Opens the store of each feature in the database from `databaseFor`. */
export async function openFeatures<Of extends Features>(
  { features }: ServiceDefinition<Of>,
  databaseFor: (name: string) => Database,
): Promise<StoresOf<Of>> {
  const stores: Record<string, unknown> = {};
  for (const [name, feature] of Object.entries(features))
    stores[name] = await feature.open(databaseFor(name));
  return stores as StoresOf<Of>;
}

/** Transactions on `database` over the stores of all features. */
export function transactionOver<Of extends Features>(
  service: ServiceDefinition<Of>,
  database: Database,
): Store<Of>['transaction'] {
  return (work) =>
    database.transaction(async (query) => {
      const own = inTransaction(database, query);
      return work(await openFeatures(service, () => own), query);
    });
}

/** The topics that features declare. One that several declare is kept as long as one of them says. */
export function topicsOf({
  features,
}: Pick<ServiceDefinition, 'features'>): Readonly<Record<string, TopicOptions>> {
  const topics = new Map<string, TopicOptions>();
  for (const [topic, options] of Object.values(features).flatMap(({ topics = {} }) =>
    Object.entries(topics),
  )) {
    const { keptFor = ENTRIES_KEPT_FOR } = options;
    topics.set(topic, { keptFor: Math.max(keptFor, topics.get(topic)?.keptFor ?? 0) });
  }
  return Object.fromEntries(topics);
}

export const hasTopics = (service: Pick<ServiceDefinition, 'features'>): boolean =>
  Object.keys(topicsOf(service)).length > 0;

export function migrationsOf({ contract, features }: ServiceDefinition): Migrations {
  const own = Object.entries(features).flatMap(([name, { migrations }]) =>
    migrations === undefined ? [] : [[name, migrations] as const],
  );
  return {
    service: contract.name,
    features: { ...(hasTopics({ features }) && { [FEED]: feedMigrations }), ...Object.fromEntries(own) },
  };
}
