/**
 * Lists orders with one client, one call after the other: `node client-calls.mjs CLIENT ORIGIN KEY`.
 * Prints the CPU time per call in microseconds. Each client has a process of its own and a time-out of 30 s.
 */
const WARM_UP = 3_000;
const CALLS = 5_000;
const TIMEOUT = 30_000;

const [name, origin, apiKey] = process.argv.slice(2);
const baseUrl = `${origin}/v1`;
const headers = { Authorization: `Bearer ${apiKey}` };

const clients = {
  async '@petstore/client'() {
    const { createPetstore } = await import('@petstore/client');
    const petstore = createPetstore({ baseUrl, apiKey, timeout: TIMEOUT });
    return () => petstore.listOrders();
  },
  async 'openapi-fetch'() {
    const { default: createClient } = await import('openapi-fetch');
    const client = createClient({ baseUrl, headers });
    return async () => (await client.GET('/store/orders', { signal: AbortSignal.timeout(TIMEOUT) })).data;
  },
  fetch: () => async () => {
    const signal = AbortSignal.timeout(TIMEOUT);
    return (await fetch(`${baseUrl}/store/orders`, { headers, signal })).json();
  },
};

const listOrders = await clients[name]();
const orders = await listOrders();
if (orders?.length !== 10) throw new Error(`${name} did not return ten orders`);

for (let call = 0; call < WARM_UP; call += 1) await listOrders();
const before = process.cpuUsage();
for (let call = 0; call < CALLS; call += 1) await listOrders();
const { user, system } = process.cpuUsage(before);
console.log((user + system) / CALLS);
process.exit();
