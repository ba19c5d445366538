import path from 'node:path';
import { addPrintingCommand, print, type Feature, type Output } from '@contract-kit/server';
import { paymentHandlers, type Needed } from './handlers.ts';
import { deliverPayments } from './outbox.ts';
import { createPaymentStore, type PaymentStore } from './store.ts';

export const payments: Feature<PaymentStore, ReturnType<typeof paymentHandlers>, Needed> = {
  migrations: path.join(import.meta.dirname, 'migrations'),
  open: createPaymentStore,
  handlers: paymentHandlers,
  background: { once: true, run: deliverPayments },
  commands(program, withStore) {
    addPrintingCommand(program, 'outbox', 'list the payments that were not delivered yet').action(
      async (options: Output) => {
        const waiting = await withStore((store) => store.undelivered(100));
        print(options, waiting, `${waiting.length} payments wait.`);
      },
    );
  },
};
