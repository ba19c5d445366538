import type { Feature } from '@contract-kit/server';
import { handlers } from './handlers.ts';
import { createStore, type Store } from './store.ts';

export const feature: Feature<Store, ReturnType<typeof handlers>> = {
  open: createStore,
  handlers,
};
