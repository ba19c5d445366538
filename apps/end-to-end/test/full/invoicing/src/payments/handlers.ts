import { randomUUID } from 'node:crypto';
import { errorResponse, type HandlersUnder, type Services } from '@contract-kit/server';
import type { Operations } from '@billing/contract';
import { Counter } from 'prom-client';
import { noInvoice } from '../shared/no-invoice.ts';
import type { InvoiceStore } from '../invoices/store.ts';
import type { Settings } from '../settings.ts';
import { tenantOf } from '../tenant.ts';
import type { PaymentStore } from './store.ts';

export interface Needed {
  readonly stores: { readonly invoices: InvoiceStore };
  readonly settings: Settings;
}

export function paymentHandlers({
  transaction,
  metrics,
  now,
}: Services<PaymentStore, Needed>): HandlersUnder<Operations, '/payments'> {
  const cents = new Counter({ name: 'billing_paid_cents_total', help: 'Paid.', registers: [metrics] });
  return {
    async createPayment({ body: { invoiceId } }, context) {
      const tenant = tenantOf(context);
      const response = await transaction(async ({ store, stores }) => {
        const paid = await stores.invoices.markPaid(tenant, invoiceId);
        if (paid === undefined) {
          if (!(await stores.invoices.find(tenant, invoiceId))) return noInvoice(invoiceId);
          return errorResponse(409, 'conflict', `The invoice ${invoiceId} is paid.`);
        }
        const payment = { id: randomUUID(), invoiceId, cents: paid, at: new Date(now()).toISOString() };
        await store.add(payment);
        return { status: 201, body: payment } as const;
      });
      if (response.status === 201) {
        cents.inc(response.body.cents);
        context.log.info({ payment: response.body.id }, 'invoice paid');
      }
      return response;
    },
  };
}
