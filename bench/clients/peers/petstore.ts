import { createPetstore, type Int64 } from '@petstore/client';
import type { CreateClient } from '../peer.ts';

export const create: CreateClient = (baseUrl, apiKey) => {
  const petstore = createPetstore({ apiKey, baseUrl });
  return {
    listOrders: () => petstore.listOrders(),
    cancelOrder: (orderId: Int64) => petstore.cancelOrder({ orderId }),
  };
};
