import { notYet, type Handlers, type Services } from '@contract-kit/server';
import type { Operations } from '@invoicing/contract';
import type { Store as InvoiceStore } from '../invoices/store.ts';
import { notFound } from '../shared/problem.ts';
import { tenantOf } from '../tenant.ts';
import type { Store } from './store.ts';

type Handled = Pick<Operations, 'getReceipt' | 'attachReceipt' | 'removeReceipt'>;

export interface Needed {
  readonly stores: { readonly invoices: InvoiceStore };
}

export function handlers({ store, stores }: Services<Store, Needed>): Handlers<Handled> {
  return {
    async attachReceipt({ path: { invoiceId }, body: { file } }, context) {
      if (!(await stores.invoices.find(tenantOf(context), invoiceId))) return notFound('invoice', invoiceId);
      const bytes = new Uint8Array(await file.arrayBuffer());
      await store.put(invoiceId, { name: file.name, type: file.type, bytes });
      return { status: 204 };
    },

    async getReceipt({ path: { invoiceId } }, context) {
      const receipt = await store.find(tenantOf(context), invoiceId);
      if (!receipt) return notFound('receipt for the invoice', invoiceId);
      const { bytes, name, type } = receipt;
      return { status: 200, body: new File([bytes], name, { type }) };
    },

    removeReceipt: notYet,
  };
}
