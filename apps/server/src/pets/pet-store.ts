import { columnNames, itemOf, type Database, type Import, type Row, type Table } from '@contract-kit/server';
import type { components } from '@petstore/contract';

export type Pet = components['schemas']['Pet'];

export const petTable: Table<Pet> = {
  name: 'pets',
  columns: { id: { column: 'id', holds: 'integer' }, name: { column: 'name', holds: 'text' } },
};

export type PetStore = ReturnType<typeof createPetStore>;

/** Stores pets. Every method throws StoreUnavailable while the database fails. */
export function createPetStore({ query, beginImport }: Database) {
  return {
    async find(id: bigint): Promise<Pet | undefined> {
      const sql = `SELECT ${columnNames(petTable).join(', ')} FROM pets WHERE id = $1`;
      const [row] = await query<Row>(sql, [String(id)]);
      return row && itemOf(petTable, row);
    },
    beginImport: (): Promise<Import<Pet>> => beginImport(petTable),
  };
}
