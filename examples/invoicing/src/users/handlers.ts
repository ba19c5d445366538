import { notYet, type Handlers, type Services } from '@contract-kit/server';
import type { Operations } from '@invoicing/contract';
import { tenantsOf } from '../tenant.ts';
import type { Store } from './store.ts';

type Handled = Pick<Operations, 'getMe' | 'changePassword'>;

export function handlers(_services: Services<Store>): Handlers<Handled> {
  return {
    getMe: ({ caller }) => ({ status: 200, body: { id: caller.id, tenants: [...tenantsOf(caller)] } }),
    changePassword: notYet,
  };
}
