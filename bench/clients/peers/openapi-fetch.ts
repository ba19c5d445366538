import createClient from 'openapi-fetch';
import type { CreateClient } from '../peer.ts';

interface Paths {
  '/store/orders': { get: { responses: { 200: { content: { 'application/json': unknown } } } } };
  '/store/orders/{orderId}': {
    delete: { parameters: { path: { orderId: number | string } }; responses: { 204: { content?: never } } };
  };
}

/** It throws for no status: whoever calls it looks at `error`, as its documentation says. */
export const create: CreateClient = (baseUrl, apiKey) => {
  const client = createClient<Paths>({ baseUrl, headers: { authorization: `Bearer ${apiKey}` } });
  const dataOf = ({ data, error }: { data?: unknown; error?: unknown }) => {
    if (error) throw Object.assign(new Error('refused'), { error });
    return data;
  };
  return {
    listOrders: async () => dataOf(await client.GET('/store/orders')),
    cancelOrder: async (orderId) =>
      dataOf(await client.DELETE('/store/orders/{orderId}', { params: { path: { orderId } } })),
  };
};
