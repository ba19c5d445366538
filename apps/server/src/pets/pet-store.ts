import type { Pet } from '@petstore/contract';
import type { Import } from '../database/import.ts';
import type { SqlDatabase } from '../database/sql.ts';

/** A pet to import, with the line of the file it comes from. The store issues an id where there is none. */
export interface PetToImport extends Pet {
  readonly line: number;
}

export type PetStore = ReturnType<typeof createPetStore>;

/** Where pets are kept. Every method throws StoreUnavailable while the database cannot be asked. */
export function createPetStore({ query, visibleIn, beginImport }: SqlDatabase) {
  return {
    async find(id: bigint): Promise<Pet | undefined> {
      const sql = `SELECT id, name FROM pets WHERE id = $1 AND ${visibleIn('pets')}`;
      const [row] = await query<{ id: number; name: string | null }>('pet-find', sql, [String(id)]);
      return row && { id: row.id, ...(row.name !== null && { name: row.name }) };
    },
    beginImport: (): Promise<Import<PetToImport>> =>
      beginImport({ table: 'pets', columns: { name: (pet) => pet.name ?? null } }),
  };
}
