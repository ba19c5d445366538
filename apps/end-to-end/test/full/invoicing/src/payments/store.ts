import type { Database } from '@contract-kit/server';
import type { components } from '@billing/contract';

export type Payment = components['schemas']['Payment'];

export const createPaymentStore = ({ query }: Database) => ({
  add: ({ id, invoiceId, cents, at }: Payment) =>
    query('INSERT INTO payments (id, invoice_id, cents, at) VALUES ($1, $2, $3, $4)', [
      id,
      invoiceId,
      cents,
      at,
    ]),
  /** The oldest payments that are not delivered. */
  undelivered: (most: number) =>
    query<Payment>(
      'SELECT id, invoice_id AS "invoiceId", cents, at FROM payments WHERE delivered_at IS NULL ORDER BY at LIMIT $1',
      [most],
    ),
  markDelivered: (id: string, at: Date) =>
    query('UPDATE payments SET delivered_at = $1 WHERE id = $2', [at.toISOString(), id]),
});

export type PaymentStore = ReturnType<typeof createPaymentStore>;
