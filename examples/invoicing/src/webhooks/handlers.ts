import { notYet, type Handlers, type Services } from '@contract-kit/server';
import type { Operations } from '@invoicing/contract';
import type { Store } from './store.ts';

type Handled = Pick<Operations, 'listWebhooks' | 'createWebhook' | 'deleteWebhook' | 'testWebhook'>;

export function handlers(_services: Services<Store>): Handlers<Handled> {
  return {
    listWebhooks: notYet,
    createWebhook: notYet,
    deleteWebhook: notYet,
    testWebhook: notYet,
  };
}
