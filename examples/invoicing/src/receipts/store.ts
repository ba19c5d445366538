import type { Database } from '@contract-kit/server';

export interface Receipt {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export function createStore({ query }: Database) {
  return {
    put: (invoiceId: string, { name, type, bytes }: Receipt) =>
      query(
        `INSERT INTO receipts (invoice_id, name, type, bytes) VALUES ($1, $2, $3, $4)
         ON CONFLICT (invoice_id) DO UPDATE
         SET name = excluded.name, type = excluded.type, bytes = excluded.bytes`,
        [invoiceId, name, type, bytes],
      ),
    async find(tenant: string, invoiceId: string): Promise<Receipt | undefined> {
      const [receipt] = await query<Receipt>(
        `SELECT name, type, bytes FROM receipts JOIN invoices ON id = invoice_id
         WHERE tenant = $1 AND id = $2`,
        [tenant, invoiceId],
      );
      return receipt;
    },
  };
}

export type Store = ReturnType<typeof createStore>;
