import type { ServiceDefinition } from '../feature.ts';

/** A table of the store with a primary key named `id`, and its name in commands. */
export interface StoreTable {
  readonly name: string;
  readonly title: string;
}

/** The tables of the store: those of the features, and the keys. */
export function storeTables({ features }: Pick<ServiceDefinition, 'features'>): readonly StoreTable[] {
  const own = Object.values(features)
    .flatMap(({ tables }) => tables)
    .map(({ table: { name } }: { table: { name: string } }) => ({ name, title: name }));
  return [...own, { name: 'api_keys', title: 'keys' }];
}

/** The columns of the audit log without ids, which mean nothing in another store. */
export const AUDIT_COLUMNS = ['at', 'action', 'key_id', 'actor', 'scopes'] as const;
