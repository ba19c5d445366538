import type { ServiceDefinition } from '../feature.ts';

export const KEYS_TABLE = 'api_keys';

/** The tables of the store, each with a primary key named `id`: those of the features, and the keys. */
export function storeTables({ features }: Pick<ServiceDefinition, 'features'>): string[] {
  const own = Object.values(features).flatMap(({ tables }) => tables);
  return [...own.map(({ table }: { table: { name: string } }) => table.name), KEYS_TABLE];
}
