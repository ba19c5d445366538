import { columnNames, itemOf, type Database, type Row, type Table } from '@contract-kit/server';
import type { components } from '@billing/contract';

export type Invoice = components['schemas']['Invoice'];

const invoices: Table<Invoice> = {
  name: 'invoices',
  columns: {
    id: { column: 'id', holds: 'text' },
    customer: { column: 'customer', holds: 'text' },
    cents: { column: 'cents', holds: 'integer' },
    status: { column: 'status', holds: 'text' },
    due: { column: 'due', holds: 'text' },
  },
};
const COLUMNS = columnNames(invoices).join(', ');

export const createInvoiceStore = ({ query, list }: Database) => ({
  list: (tenant: string, status?: Invoice['status']) =>
    list<Invoice>({
      table: invoices.name,
      columns: invoices.columns,
      where:
        status === undefined
          ? { sql: 'tenant = $1', values: [tenant] }
          : { sql: 'tenant = $1 AND status = $2', values: [tenant, status] },
    }),
  async find(tenant: string, id: string): Promise<Invoice | undefined> {
    const [row] = await query<Row>(`SELECT ${COLUMNS} FROM invoices WHERE tenant = $1 AND id = $2`, [
      tenant,
      id,
    ]);
    return row && itemOf(invoices, row);
  },
  add: (tenant: string, { id, customer, cents, status, due }: Invoice) =>
    query(`INSERT INTO invoices (tenant, ${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6)`, [
      tenant,
      id,
      customer,
      cents,
      status,
      due,
    ]),
  /** The amount of the invoice; undefined if the tenant has no such invoice that is unpaid. */
  async markPaid(tenant: string, id: string): Promise<number | undefined> {
    const [row] = await query<{ cents: number }>(
      `UPDATE invoices SET status = 'paid' WHERE tenant = $1 AND id = $2 AND status <> 'paid' RETURNING cents`,
      [tenant, id],
    );
    return row?.cents;
  },
  /** Marks what was due before `now`. Returns how many invoices that were. */
  async markOverdue(now: Date): Promise<number> {
    const rows = await query(
      `UPDATE invoices SET status = 'overdue' WHERE status = 'open' AND due < $1 RETURNING id`,
      [now.toISOString()],
    );
    return rows.length;
  },
  putReceipt: (id: string, file: Uint8Array) =>
    query(
      'INSERT INTO receipts VALUES ($1, $2) ON CONFLICT (invoice_id) DO UPDATE SET file = excluded.file',
      [id, file],
    ),
  async receipt(tenant: string, id: string): Promise<Uint8Array | undefined> {
    const [row] = await query<{ file: Uint8Array }>(
      'SELECT file FROM receipts JOIN invoices ON id = invoice_id WHERE tenant = $1 AND id = $2',
      [tenant, id],
    );
    return row?.file;
  },
});

export type InvoiceStore = ReturnType<typeof createInvoiceStore>;
