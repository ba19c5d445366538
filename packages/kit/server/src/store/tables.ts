import type { ServiceDefinition } from '../feature.ts';

export const KEYS_TABLE = 'api_keys';

/** The tables of the store, each with a primary key named `id`: those of the features, and the keys. */
export function storeTables({ features }: Pick<ServiceDefinition, 'features'>): readonly string[] {
  const own = Object.values(features).flatMap(({ tables }) => tables);
  return [...own.map(({ table }: { table: { name: string } }) => table.name), KEYS_TABLE];
}

/** The columns of the audit log without ids, which mean nothing in another store. */
export const AUDIT_COLUMNS = ['at', 'action', 'key_id', 'actor', 'scopes'] as const;
