import { notYet, type Handlers, type Services } from '@contract-kit/server';
import type { Operations } from '@invoicing/contract';
import type { Store } from './store.ts';

type Handled = Pick<Operations, 'listQuotes' | 'createQuote' | 'getQuote' | 'acceptQuote' | 'declineQuote'>;

export function handlers(_services: Services<Store>): Handlers<Handled> {
  return {
    listQuotes: notYet,
    createQuote: notYet,
    getQuote: notYet,
    acceptQuote: notYet,
    declineQuote: notYet,
  };
}
