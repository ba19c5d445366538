import { randomUUID } from 'node:crypto';
import { notYet, type Handlers, type Services } from '@contract-kit/server';
import type { Operations } from '@invoicing/contract';
import { notFound } from '../shared/problem.ts';
import { tenantOf } from '../tenant.ts';
import type { Store } from './store.ts';

type Handled = Pick<
  Operations,
  'listProducts' | 'createProduct' | 'getProduct' | 'updateProduct' | 'listPrices' | 'setPrice'
>;

export function handlers({ store }: Services<Store>): Handlers<Handled> {
  return {
    listProducts: (_input, context) => ({ status: 200, body: store.list(tenantOf(context)) }),

    async createProduct({ body }, context) {
      const product = { ...body, id: randomUUID() };
      await store.add(tenantOf(context), product);
      return { status: 201, body: product };
    },

    async getProduct({ path: { productId } }, context) {
      const product = await store.find(tenantOf(context), productId);
      return product ? { status: 200, body: product } : notFound('product', productId);
    },

    updateProduct: notYet,

    async listPrices({ path: { productId } }, context) {
      if (!(await store.find(tenantOf(context), productId))) return notFound('product', productId);
      return { status: 200, body: store.prices(productId) };
    },

    async setPrice({ path: { productId, currency }, body: { cents } }, context) {
      if (!(await store.find(tenantOf(context), productId))) return notFound('product', productId);
      const price = { currency, cents };
      await store.setPrice(productId, price);
      return { status: 200, body: price };
    },
  };
}
