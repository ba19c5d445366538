import { visibleIn } from '../database/sqlite/import-ranges.ts';
import { beginSqliteImport } from '../database/sqlite/import.ts';
import type { SqliteDatabase } from '../database/sqlite/database.ts';
import { retryWhileBusy } from '../database/sqlite/retry.ts';
import type { PetStore, PetToImport } from './pet-store.ts';

export function createSqlitePetStore(database: SqliteDatabase): PetStore {
  const find = database.prepare<[bigint], { id: number; name: string | null }>(
    `SELECT id, name FROM pets WHERE id = ? AND ${visibleIn('pets')}`,
  );
  return {
    find: (id) =>
      retryWhileBusy(database, () => {
        const row = find.get(id);
        return row && { id: row.id, ...(row.name !== null && { name: row.name }) };
      }),
    beginImport: () =>
      Promise.resolve(
        beginSqliteImport<PetToImport>(database, {
          table: 'pets',
          columns: { name: (pet) => pet.name ?? null },
        }),
      ),
  };
}
