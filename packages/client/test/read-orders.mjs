// A separate process, to measure the memory of a client alone: node --expose-gc read-orders.mjs <base URL>
import { createPetstore } from '@petstore/client';
import { streamOrders } from '@petstore/client/stream';

const petstore = createPetstore({ apiKey: 'pst_test', baseUrl: process.argv[2] });

// fetch allocates memory once, which is not part of the list.
await petstore.getPet({ petId: 1 });
globalThis.gc?.();
const before = process.memoryUsage.rss();

let count = 0;
let peak = before;
for await (const order of streamOrders(petstore)) {
  if (order.id !== ++count) throw new Error(`order ${order.id} in place of ${count}`);
  if (count % 1000 === 0) peak = Math.max(peak, process.memoryUsage.rss());
}
console.log(JSON.stringify({ count, megabytes: Math.ceil((peak - before) / 1e6) }));
