import type { Feature } from '@contract-kit/server';
import { handlers, type Needed } from './handlers.ts';
import { createStore, type Store } from './store.ts';

export const feature: Feature<Store, ReturnType<typeof handlers>, Needed> = {
  open: createStore,
  handlers,
};
