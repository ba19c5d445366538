import Anthropic from '@anthropic-ai/sdk';
import type { CreateClient } from '../peer.ts';

/** Its methods for any path of any address. */
export const create: CreateClient = (baseURL, authToken) => {
  const client = new Anthropic({ apiKey: null, authToken, baseURL });
  return {
    listOrders: () => client.get('/store/orders'),
    cancelOrder: (orderId) => client.delete(`/store/orders/${orderId}`),
  };
};
