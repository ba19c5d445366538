// Compiled like types.test-d.ts, but not with TypeScript 5.0, which rejects the types of openapi-fetch itself.
import { createClient } from '@petstore/client/fetch';

export async function main(): Promise<number | undefined> {
  const petstore = createClient({ apiKey: 'pst_test' });
  // @ts-expect-error -- there is no such path
  void petstore.GET('/orders');
  await petstore.DELETE('/store/orders/{orderId}', { params: { path: { orderId: 1n } } });
  const { data } = await petstore.GET('/store/orders');
  return data?.[0]?.id;
}
