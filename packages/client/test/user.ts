// Compiled against the packed package, with several versions and settings of TypeScript.
import { ApiError, createPetstore, RateLimitError, type Order } from '@petstore/client';
import { streamOrders } from '@petstore/client/stream';
import { createFakePetstore } from '@petstore/client/testing';

export async function main(): Promise<Order[]> {
  const { fetch } = createFakePetstore({
    answers: { listOrders: { body: [{ id: 1 }] }, cancelOrder: 'order_already_shipped' },
    plan: 'free',
  });
  const petstore = createPetstore({ apiKey: 'pst_test', fetch });
  try {
    await petstore.cancelOrder({ orderId: 1n });
  } catch (error) {
    if (error instanceof RateLimitError) console.log(error.retryAfter.toFixed());
    if (error instanceof ApiError && error.status === 409) console.log(error.body?.message);
  }
  // @ts-expect-error -- there is no such operation
  void petstore.noSuchOperation;
  // @ts-expect-error -- there is no such parameter
  await petstore.cancelOrder({ orderId: 1, force: true });
  console.log((await petstore.fetch('/status')).ok);
  const orders: Order[] = await petstore.listOrders();
  for await (const { id } of streamOrders(petstore)) console.log(id satisfies number | undefined);
  for await (const { id } of streamOrders({ listOrders: () => Promise.resolve(orders) })) console.log(id);
  return orders;
}
