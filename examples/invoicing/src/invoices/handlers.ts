import { randomUUID } from 'node:crypto';
import type { Handlers, Services } from '@contract-kit/server';
import type { Operations } from '@invoicing/contract';
import type { Store as CustomerStore } from '../customers/store.ts';
import type { Store as ProductStore } from '../products/store.ts';
import type { Settings } from '../settings.ts';
import { notFound, problem } from '../shared/problem.ts';
import { tenantOf } from '../tenant.ts';
import { cursorOf, idIn } from './cursor.ts';
import type { Invoice, Store } from './store.ts';

type Handled = Pick<
  Operations,
  'listInvoices' | 'createInvoice' | 'getInvoice' | 'updateInvoice' | 'sendInvoice' | 'voidInvoice'
>;

export interface Needed {
  readonly stores: { readonly customers: CustomerStore; readonly products: ProductStore };
  readonly settings: Settings;
}

const DAY = 24 * 60 * 60_000;
const etagOf = (version: number) => `"${version}"`;

export function handlers({ store, transaction, settings, now }: Services<Store, Needed>): Handlers<Handled> {
  async function respondWith(tenant: string, id: string) {
    const found = await store.find(tenant, id);
    if (!found) return notFound('invoice', id);
    return { status: 200, headers: { ETag: etagOf(found.version) }, body: found.invoice } as const;
  }
  /** The invoice after a change; 409 if it did not change. */
  async function respondAfter(tenant: string, id: string, changed: unknown) {
    const response = await respondWith(tenant, id);
    if (response.status !== 200 || changed !== undefined) return response;
    return problem(409, `The invoice is ${response.body.status}.`);
  }

  return {
    async listInvoices({ query: { status, limit, cursor } }, context) {
      const after = cursor === undefined ? '' : idIn(cursor);
      if (after === undefined) return problem(400, 'The cursor is not the `next` of a page.');
      const found = await store.page(tenantOf(context), { status, after, limit: limit + 1 });
      const invoices = found.slice(0, limit);
      const last = found.length > limit ? invoices.at(-1) : undefined;
      return { status: 200, body: { invoices, ...(last && { next: cursorOf(last.id) }) } };
    },

    createInvoice({ body: { lines, ...body } }, context) {
      const tenant = tenantOf(context);
      return transaction(async ({ store, stores }) => {
        if (!(await stores.customers.find(tenant, body.customerId)))
          return problem(422, 'You have no such customer.', '/customerId');
        const priced: Invoice['lines'] = [];
        for (const [index, { productId, quantity }] of lines.entries()) {
          const price = await stores.products.priceOf(tenant, productId, body.currency);
          if (price === undefined)
            return problem(422, `It has no price in ${body.currency}.`, `/lines/${index}/productId`);
          priced.push({ productId, quantity, cents: price * quantity });
        }
        const cents = priced.reduce((sum, line) => sum + line.cents, 0);
        const invoice: Invoice = { ...body, id: randomUUID(), cents, status: 'draft', lines: priced };
        await store.add(tenant, invoice);
        return { status: 201, headers: { ETag: etagOf(1) }, body: invoice } as const;
      });
    },

    getInvoice: ({ path: { invoiceId } }, context) => respondWith(tenantOf(context), invoiceId),

    async updateInvoice({ path: { invoiceId }, headers, body: { note } }, context) {
      const tenant = tenantOf(context);
      const found = await store.find(tenant, invoiceId);
      if (!found) return notFound('invoice', invoiceId);
      if (found.invoice.status !== 'draft') return problem(409, `The invoice is ${found.invoice.status}.`);
      const isCurrent = headers['If-Match'] === etagOf(found.version);
      if (!isCurrent || !(await store.setNote(tenant, invoiceId, found.version, note)))
        return problem(412, 'Someone else has changed the invoice.');
      return respondWith(tenant, invoiceId);
    },

    async sendInvoice({ path: { invoiceId } }, context) {
      const tenant = tenantOf(context);
      const due = new Date(now() + settings.TERM_DAYS * DAY).toISOString();
      return respondAfter(tenant, invoiceId, await store.send(tenant, invoiceId, due));
    },

    async voidInvoice({ path: { invoiceId } }, context) {
      const tenant = tenantOf(context);
      return respondAfter(tenant, invoiceId, await store.void(tenant, invoiceId));
    },
  };
}
