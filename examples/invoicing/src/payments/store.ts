import type { Database } from '@contract-kit/server';
import type { components } from '@invoicing/contract';

export type Payment = components['schemas']['Payment'];
type Revenue = components['schemas']['Revenue'];

type Row = Omit<Payment, 'method' | 'refundedAt'> & {
  readonly method: string;
  readonly refundedAt: string | null;
};

const COLUMNS = `payments.id, invoice_id AS "invoiceId", payments.cents, method, at, refunded_at AS "refundedAt"`;

const paymentOf = ({ method, refundedAt, ...row }: Row): Payment => ({
  ...row,
  method: JSON.parse(method) as Payment['method'],
  ...(refundedAt !== null && { refundedAt }),
});

export function createStore({ query }: Database) {
  return {
    add: ({ id, invoiceId, cents, method, at }: Payment) =>
      query('INSERT INTO payments (id, invoice_id, cents, method, at) VALUES ($1, $2, $3, $4, $5)', [
        id,
        invoiceId,
        cents,
        JSON.stringify(method),
        at,
      ]),
    async find(tenant: string, id: string): Promise<Payment | undefined> {
      const [row] = await query<Row>(
        `SELECT ${COLUMNS} FROM payments JOIN invoices ON invoices.id = invoice_id
         WHERE tenant = $1 AND payments.id = $2`,
        [tenant, id],
      );
      return row && paymentOf(row);
    },
    /** Whether the payment was not paid back before. */
    async markRefunded(id: string, at: Date): Promise<boolean> {
      const sql = 'UPDATE payments SET refunded_at = $2 WHERE id = $1 AND refunded_at IS NULL RETURNING id';
      return (await query(sql, [id, at.toISOString()])).length > 0;
    },
    /** What was paid since then, and not paid back. */
    revenue: (tenant: string, since: string) =>
      query<Revenue>(
        `SELECT currency, CAST(sum(payments.cents) AS bigint) AS cents
         FROM payments JOIN invoices ON invoices.id = invoice_id
         WHERE tenant = $1 AND at >= $2 AND refunded_at IS NULL GROUP BY currency ORDER BY currency`,
        [tenant, since],
      ),
    /** The oldest payments that are not delivered. */
    async undelivered(most: number): Promise<Payment[]> {
      const sql = `SELECT ${COLUMNS} FROM payments WHERE delivered_at IS NULL ORDER BY at LIMIT $1`;
      return (await query<Row>(sql, [most])).map(paymentOf);
    },
    markDelivered: (id: string, at: Date) =>
      query('UPDATE payments SET delivered_at = $1 WHERE id = $2', [at.toISOString(), id]),
  };
}

export type Store = ReturnType<typeof createStore>;
