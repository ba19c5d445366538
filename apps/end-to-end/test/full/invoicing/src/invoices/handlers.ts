import { randomUUID } from 'node:crypto';
import type { HandlersUnder, Services } from '@contract-kit/server';
import type { Operations } from '@billing/contract';
import type { Settings } from '../settings.ts';
import { noInvoice } from '../shared/no-invoice.ts';
import { tenantOf } from '../tenant.ts';
import type { InvoiceStore } from './store.ts';

export interface Needed {
  readonly settings: Settings;
}

const DAY = 24 * 60 * 60_000;

export function invoiceHandlers({
  store,
  settings,
  now,
}: Services<InvoiceStore, Needed>): HandlersUnder<Operations, '/invoices'> {
  return {
    listInvoices: ({ query: { status } }, context) => ({
      status: 200,
      body: store.list(tenantOf(context), status),
    }),

    async createInvoice({ body: { customer, cents } }, context) {
      const due = new Date(now() + settings.TERM_DAYS * DAY).toISOString();
      const invoice = { id: randomUUID(), customer, cents, status: 'open', due } as const;
      await store.add(tenantOf(context), invoice);
      return { status: 201, headers: { Location: `/v1/invoices/${invoice.id}` }, body: invoice };
    },

    async getInvoice({ path: { invoiceId } }, context) {
      const invoice = await store.find(tenantOf(context), invoiceId);
      return invoice ? { status: 200, body: invoice } : noInvoice(invoiceId);
    },

    async attachReceipt({ path: { invoiceId }, body }, context) {
      if (!(await store.find(tenantOf(context), invoiceId))) return noInvoice(invoiceId);
      await store.putReceipt(invoiceId, new Uint8Array(await body.file.arrayBuffer()));
      return { status: 204 };
    },

    async getReceipt({ path: { invoiceId } }, context) {
      const file = await store.receipt(tenantOf(context), invoiceId);
      if (!file) return noInvoice(invoiceId);
      return { status: 200, body: new File([file], `${invoiceId}.pdf`, { type: 'application/pdf' }) };
    },
  };
}
