import ky from 'ky';
import type { CreateClient } from '../peer.ts';

export const create: CreateClient = (baseUrl, apiKey) => {
  const api = ky.create({ prefixUrl: baseUrl, headers: { authorization: `Bearer ${apiKey}` } });
  return {
    listOrders: () => api.get('store/orders').json(),
    cancelOrder: (orderId) => api.delete(`store/orders/${orderId}`).text(),
  };
};
