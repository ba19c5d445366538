import type { ServiceDefinition } from '../feature.ts';

/** A table of the store with a primary key named `id`, and what commands call it. */
export interface StoreTable {
  readonly name: string;
  readonly title: string;
}

/** The tables of the store: those of the features, and that of the keys. */
export function storeTables({ features }: Pick<ServiceDefinition, 'features'>): readonly StoreTable[] {
  const own = Object.values(features)
    .flatMap(({ tables }) => tables)
    .map(({ table: { name } }: { table: { name: string } }) => ({ name, title: name }));
  return [...own, { name: 'api_keys', title: 'keys' }];
}

/** The columns of the audit trail that mean something outside of its store: ids do not. */
export const AUDIT_COLUMNS = ['at', 'action', 'key_id', 'actor', 'scopes'] as const;
