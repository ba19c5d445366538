import { columnNames, itemOf, type Row, type Table } from '../../database/columns.ts';
import type { SqliteDatabase } from '../../database/sqlite/database.ts';
import { parseOrder } from '../../orders/order-record.ts';
import { orderTable } from '../../orders/order-row.ts';
import { parsePet } from '../../pets/pet-record.ts';
import { petTable } from '../../pets/pet-store.ts';
import { InvalidRecord } from '../../validation/record-schema.ts';

/** Holds every order and pet against the contract, as an import does. Throws what `refuse` makes of the first fault. */
export function checkRecords(database: SqliteDatabase, refuse: (fault: string) => Error): void {
  checkTable(orderTable, parseOrder);
  checkTable(petTable, parsePet);

  function checkTable<Item>(table: Table<Item>, parse: (value: unknown) => unknown): void {
    const sql = `SELECT ${columnNames(table).join(', ')} FROM ${table.name}`;
    for (const row of database.prepare<[], Row>(sql).iterate()) {
      try {
        parse(itemOf(table, row));
      } catch (error) {
        if (!(error instanceof InvalidRecord)) throw error;
        throw refuse(`${table.name}, id ${String(row['id'])}: ${error.message}`);
      }
    }
  }
}
