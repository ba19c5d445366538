import { columnNames, itemOf, type Database, type Row, type Table } from '@contract-kit/server';
import type { components } from '@invoicing/contract';

export type Invoice = components['schemas']['Invoice'];
type Summary = components['schemas']['InvoiceSummary'];
type Line = components['schemas']['Line'];

const invoices: Table<Summary> = {
  name: 'invoices',
  columns: {
    id: { column: 'id', holds: 'text' },
    customerId: { column: 'customer_id', holds: 'text' },
    currency: { column: 'currency', holds: 'text' },
    cents: { column: 'cents', holds: 'integer' },
    status: { column: 'status', holds: 'text' },
    note: { column: 'note', holds: 'text' },
    due: { column: 'due', holds: 'text' },
  },
};
const COLUMNS = columnNames(invoices).join(', ');

export interface Page {
  readonly status?: Summary['status'] | undefined;
  /** The id that the page before ended with. */
  readonly after: string;
  readonly limit: number;
}

export function createStore({ query, list }: Database) {
  /** Runs SET on the invoice if its status is one of `from`. Returns its amount, or undefined if nothing changed. */
  async function change(tenant: string, id: string, set: string, from: string, ...values: string[]) {
    const [row] = await query<{ cents: number }>(
      `UPDATE invoices SET ${set}, version = version + 1
       WHERE tenant = $1 AND id = $2 AND status IN (${from}) RETURNING cents`,
      [tenant, id, ...values],
    );
    return row?.cents;
  }

  return {
    all: (tenant: string) =>
      list<Summary>({
        table: invoices.name,
        columns: invoices.columns,
        where: { sql: 'tenant = $1', values: [tenant] },
      }),
    async page(tenant: string, { status, after, limit }: Page): Promise<Summary[]> {
      const rows = await query<Row>(
        `SELECT ${COLUMNS} FROM invoices
         WHERE tenant = $1 AND id > $2 AND status = coalesce($3, status) ORDER BY id LIMIT $4`,
        [tenant, after, status ?? null, limit],
      );
      return rows.map((row) => itemOf(invoices, row));
    },
    /** The invoice, and how often it has changed. */
    async find(tenant: string, id: string): Promise<{ invoice: Invoice; version: number } | undefined> {
      const sql = `SELECT ${COLUMNS}, version FROM invoices WHERE tenant = $1 AND id = $2`;
      const [row] = await query<Row & { version: number }>(sql, [tenant, id]);
      if (!row) return undefined;
      const lines = await query<Line>(
        `SELECT product_id AS "productId", quantity, cents FROM invoice_lines
         WHERE invoice_id = $1 ORDER BY position`,
        [id],
      );
      return { invoice: { ...itemOf(invoices, row), lines }, version: row.version };
    },
    /** Call it in a transaction. */
    async add(tenant: string, { id, customerId, currency, cents, status, note, lines }: Invoice) {
      await query(
        `INSERT INTO invoices (tenant, id, customer_id, currency, cents, status, note)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [tenant, id, customerId, currency, cents, status, note ?? null],
      );
      for (const [position, { productId, quantity, cents }] of lines.entries())
        await query('INSERT INTO invoice_lines VALUES ($1, $2, $3, $4, $5)', [
          id,
          position,
          productId,
          quantity,
          cents,
        ]);
    },
    /** Whether it is still the draft of this version. */
    async setNote(tenant: string, id: string, version: number, note: string): Promise<boolean> {
      const rows = await query(
        `UPDATE invoices SET note = $4, version = version + 1
         WHERE tenant = $1 AND id = $2 AND version = $3 AND status = 'draft' RETURNING id`,
        [tenant, id, version, note],
      );
      return rows.length > 0;
    },
    send: (tenant: string, id: string, due: string) =>
      change(tenant, id, `status = 'open', due = $3`, `'draft'`, due),
    void: (tenant: string, id: string) => change(tenant, id, `status = 'void'`, `'draft', 'open', 'overdue'`),
    markPaid: (tenant: string, id: string) => change(tenant, id, `status = 'paid'`, `'open', 'overdue'`),
    reopen: (tenant: string, id: string) => change(tenant, id, `status = 'open'`, `'paid'`),
    /** Marks what was due before `now`. Returns how many invoices that were. */
    async markOverdue(now: Date): Promise<number> {
      const rows = await query(
        `UPDATE invoices SET status = 'overdue', version = version + 1
         WHERE status = 'open' AND due < $1 RETURNING id`,
        [now.toISOString()],
      );
      return rows.length;
    },
  };
}

export type Store = ReturnType<typeof createStore>;
