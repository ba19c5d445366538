import path from 'node:path';
import type { Feature } from '@contract-kit/server';
import { invoiceHandlers, type Needed } from './handlers.ts';
import { markOverdueNightly } from './nightly.ts';
import { createInvoiceStore, type InvoiceStore } from './store.ts';

export const invoices: Feature<InvoiceStore, ReturnType<typeof invoiceHandlers>, Needed> = {
  migrations: path.join(import.meta.dirname, 'migrations'),
  open: createInvoiceStore,
  handlers: invoiceHandlers,
  background: { once: true, run: markOverdueNightly },
};
