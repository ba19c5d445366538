import type { Migrations } from '../database/migrations.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { Database } from '../database/sql.ts';
import {
  declaredJobs,
  declaredTopics,
  type Features,
  type ServiceDefinition,
  type StoresOf,
} from '../feature.ts';
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

export function migrationsOf(service: ServiceDefinition): Migrations {
  const { contract, features } = service;
  const own = Object.entries(features).flatMap(([name, { migrations }]) =>
    migrations === undefined ? [] : [[name, migrations] as const],
  );
  const parts = [
    ...(Object.keys(declaredTopics(service)).length > 0 ? (['feed'] as const) : []),
    ...(declaredJobs(service).size > 0 ? (['jobs'] as const) : []),
  ];
  return { service: contract.name, features: Object.fromEntries(own), parts };
}
