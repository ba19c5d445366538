import OpenAI from 'openai';
import type { CreateClient } from '../peer.ts';

/** Its methods for any path of any address. */
export const create: CreateClient = (baseURL, apiKey) => {
  const client = new OpenAI({ apiKey, baseURL });
  return {
    listOrders: () => client.get('/store/orders'),
    cancelOrder: (orderId) => client.delete(`/store/orders/${orderId}`),
  };
};
