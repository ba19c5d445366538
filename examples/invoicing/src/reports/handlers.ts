import { notYet, type Handlers, type Services } from '@contract-kit/server';
import type { Operations } from '@invoicing/contract';
import type { Store as InvoiceStore } from '../invoices/store.ts';
import type { Store as PaymentStore } from '../payments/store.ts';
import { tenantOf } from '../tenant.ts';
import type { Store } from './store.ts';

type Handled = Pick<Operations, 'getRevenue' | 'exportInvoices' | 'getAging'>;

export interface Needed {
  readonly stores: { readonly invoices: InvoiceStore; readonly payments: PaymentStore };
}

export function handlers({ stores }: Services<Store, Needed>): Handlers<Handled> {
  return {
    async getRevenue({ query: { since } }, context) {
      return { status: 200, body: await stores.payments.revenue(tenantOf(context), since) };
    },

    async exportInvoices(_input, context) {
      const lines = ['id,customer,currency,cents,status,due'];
      for await (const batch of stores.invoices.all(tenantOf(context)).items())
        for (const { id, customerId, currency, cents, status, due = '' } of batch)
          lines.push([id, customerId, currency, cents, status, due].join(','));
      return { status: 200, body: `${lines.join('\n')}\n` };
    },

    getAging: notYet,
  };
}
