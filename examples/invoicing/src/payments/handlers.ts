import { randomUUID } from 'node:crypto';
import { atomic, errorResponse, notYet, type Handlers, type Services } from '@contract-kit/server';
import type { Operations } from '@invoicing/contract';
import { Counter } from 'prom-client';
import type { Store as InvoiceStore } from '../invoices/store.ts';
import type { Settings } from '../settings.ts';
import { tenantOf } from '../tenant.ts';
import type { Store } from './store.ts';

type Handled = Pick<Operations, 'listPayments' | 'createPayment' | 'getPayment' | 'refundPayment'>;

export interface Needed {
  readonly stores: { readonly invoices: InvoiceStore };
  readonly settings: Settings;
}

const noPayment = (id: string) => errorResponse(404, 'not_found', `You have no payment ${id}.`);

export function handlers({ store, transaction, metrics, now }: Services<Store, Needed>): Handlers<Handled> {
  const paid = new Counter({ name: 'invoicing_paid_cents_total', help: 'Paid.', registers: [metrics] });
  return {
    listPayments: notYet,

    createPayment: atomic(async ({ body: { invoiceId, method } }, context) => {
      const tenant = tenantOf(context);
      const response = await transaction(async ({ store, stores }) => {
        const cents = await stores.invoices.markPaid(tenant, invoiceId);
        if (cents === undefined) {
          const found = await stores.invoices.find(tenant, invoiceId);
          if (!found) return errorResponse(404, 'not_found', `You have no invoice ${invoiceId}.`);
          return errorResponse(409, 'conflict', `The invoice is ${found.invoice.status}.`);
        }
        const payment = { id: randomUUID(), invoiceId, cents, method, at: new Date(now()).toISOString() };
        await store.add(payment);
        return { status: 201, body: payment } as const;
      });
      if (response.status === 201) {
        paid.inc(response.body.cents);
        context.log.info({ payment: response.body.id }, 'invoice paid');
      }
      return response;
    }),

    async getPayment({ path: { paymentId } }, context) {
      const payment = await store.find(tenantOf(context), paymentId);
      return payment ? { status: 200, body: payment } : noPayment(paymentId);
    },

    refundPayment: atomic(({ path: { paymentId } }, context) => {
      const tenant = tenantOf(context);
      return transaction(async ({ store, stores }) => {
        const payment = await store.find(tenant, paymentId);
        if (!payment) return noPayment(paymentId);
        const at = new Date(now());
        if (!(await store.markRefunded(paymentId, at)))
          return errorResponse(409, 'conflict', 'The payment was paid back before.');
        await stores.invoices.reopen(tenant, payment.invoiceId);
        return { status: 200, body: { ...payment, refundedAt: at.toISOString() } } as const;
      });
    }),
  };
}
