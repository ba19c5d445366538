import path from 'node:path';
import type { Feature } from '@contract-kit/server';
import { handlers } from './handlers.ts';
import { createStore, type Store } from './store.ts';

export const feature: Feature<Store, ReturnType<typeof handlers>> = {
  migrations: path.join(import.meta.dirname, 'migrations'),
  open: createStore,
  handlers,
};
