import type { PostgresDatabase } from '../database/postgres/database.ts';
import { beginPostgresImport } from '../database/postgres/import.ts';
import type { PetStore, PetToImport } from './pet-store.ts';

export function createPostgresPetStore(database: PostgresDatabase): PetStore {
  return {
    async find(id) {
      const [row] = await database.query<{ id: number; name: string | null }>(
        'pet-find',
        'SELECT id, name FROM pets WHERE id = $1',
        [String(id)],
      );
      return row && { id: row.id, ...(row.name !== null && { name: row.name }) };
    },
    beginImport: () =>
      beginPostgresImport<PetToImport>(database, {
        table: 'pets',
        columns: { name: (pet) => pet.name ?? null },
      }),
  };
}
