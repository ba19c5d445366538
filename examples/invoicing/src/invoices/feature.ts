import path from 'node:path';
import type { Feature } from '@contract-kit/server';
import { handlers, type Needed } from './handlers.ts';
import { markOverdueNightly } from './nightly.ts';
import { createStore, type Store } from './store.ts';

export const feature: Feature<Store, ReturnType<typeof handlers>, Needed> = {
  migrations: path.join(import.meta.dirname, 'migrations'),
  open: createStore,
  handlers,
  background: { once: true, run: markOverdueNightly },
};
