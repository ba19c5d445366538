import type { SqlDatabase } from '../database/sql.ts';
import type { PetStore } from './pet-store.ts';

export function createPetStore({ query, visibleIn, beginImport }: SqlDatabase): PetStore {
  return {
    async find(id) {
      const sql = `SELECT id, name FROM pets WHERE id = $1 AND ${visibleIn('pets')}`;
      const [row] = await query<{ id: number; name: string | null }>('pet-find', sql, [String(id)]);
      return row && { id: row.id, ...(row.name !== null && { name: row.name }) };
    },
    beginImport: () => beginImport({ table: 'pets', columns: { name: (pet) => pet.name ?? null } }),
  };
}
