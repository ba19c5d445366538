import path from 'node:path';
import { addPrintingCommand, print, type Feature, type Output } from '@contract-kit/server';
import { handlers, type Needed } from './handlers.ts';
import { deliverPayments } from './outbox.ts';
import { createStore, type Store } from './store.ts';

export const feature: Feature<Store, ReturnType<typeof handlers>, Needed> = {
  migrations: path.join(import.meta.dirname, 'migrations'),
  open: createStore,
  handlers,
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
