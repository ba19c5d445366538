import { orderTable } from '../orders/order-row.ts';
import { petTable } from '../pets/pet-store.ts';

/** A table of the store with a primary key named `id`, and what commands call it. */
export interface StoreTable {
  readonly name: string;
  readonly title: string;
}

/** The tables that every version of the store has had. */
export const storeTables: readonly StoreTable[] = [
  { name: orderTable.name, title: 'orders' },
  { name: petTable.name, title: 'pets' },
  { name: 'api_keys', title: 'keys' },
];

/** The columns of the audit trail that mean something outside of its store: ids do not. */
export const AUDIT_COLUMNS = ['at', 'action', 'key_id', 'actor'] as const;
