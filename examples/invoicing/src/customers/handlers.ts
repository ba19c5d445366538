import { randomUUID } from 'node:crypto';
import { ConstraintError, notYet, type Handlers, type Services } from '@contract-kit/server';
import type { Operations } from '@invoicing/contract';
import { notFound, problem } from '../shared/problem.ts';
import { tenantOf } from '../tenant.ts';
import type { Store } from './store.ts';

type Handled = Pick<
  Operations,
  'listCustomers' | 'createCustomer' | 'getCustomer' | 'updateCustomer' | 'deleteCustomer'
>;

/** The response to a customer whose name is taken. Rethrows other errors. */
function nameTaken(error: unknown) {
  if (!(error instanceof ConstraintError)) throw error;
  return problem(409, 'You have another customer with this name.', '/name');
}

export function handlers({ store }: Services<Store>): Handlers<Handled> {
  return {
    listCustomers: (_input, context) => ({ status: 200, body: store.list(tenantOf(context)) }),

    async createCustomer({ body }, context) {
      const customer = { ...body, id: randomUUID() };
      try {
        await store.add(tenantOf(context), customer);
      } catch (error) {
        return nameTaken(error);
      }
      return { status: 201, body: customer };
    },

    async getCustomer({ path: { customerId } }, context) {
      const customer = await store.find(tenantOf(context), customerId);
      return customer ? { status: 200, body: customer } : notFound('customer', customerId);
    },

    async updateCustomer({ path: { customerId }, body }, context) {
      const customer = { ...body, id: customerId };
      try {
        if (!(await store.replace(tenantOf(context), customer))) return notFound('customer', customerId);
      } catch (error) {
        return nameTaken(error);
      }
      return { status: 200, body: customer };
    },

    deleteCustomer: notYet,
  };
}
