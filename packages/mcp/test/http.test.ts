import { connectMcp, textOf } from '@contract-kit/test-support/mcp-client';
import { startTestService, type TestService } from '@petstore/server/testing';

/* The same tools, served by the service at /mcp, with the official client. */

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await service.addOrders([{ id: 1 }, { id: 2, status: 'shipped' }]);
});

test.each([
  [60, 'free'],
  [300, 'pro'],
])('the plan decides how many calls there are in a minute: %i for %s', async (quota, plan) => {
  const { call } = await connectMcp(service.origin, await service.key(plan));
  let results = 0;
  for (; results < quota; results++) expect((await call('listOrders')).isError).toBeFalsy();
  const refused = await call('listOrders');
  expect(refused.isError).toBe(true);
  expect(textOf(refused)).toMatch(
    /^Call again in \d+ seconds, not earlier: .*\nCode: rate_limit_exceeded\./m,
  );
});

test('lists and cancels orders', async () => {
  const { call } = await connectMcp(service.origin, await service.key());
  expect(await call('listOrders')).toMatchObject({ structuredContent: { total: 2 } });
  expect(await call('cancelOrder', { orderId: '1' })).toMatchObject({
    structuredContent: { outcome: 'The order is cancelled.', orderId: '1' },
  });
  expect(textOf(await call('cancelOrder', { orderId: 2 }))).toMatch(/Code: order_already_shipped\./);
});

test('describes the purpose of the API and its tools, of at most 500 tokens each, without HTTP', async () => {
  const { client } = await connectMcp(service.origin, await service.key());
  expect(client.getInstructions()).toMatch(
    /^Petstore Store Orders: List the orders of the store, and cancel one\./,
  );
  const { tools } = await client.listTools();
  expect(tools.map(({ name, title }) => [name, title])).toEqual(
    expect.arrayContaining([
      ['listOrders', 'List orders'],
      ['cancelOrder', 'Cancel an order'],
    ]),
  );
  for (const { description, inputSchema, outputSchema, annotations } of tools) {
    expect(JSON.stringify([description, inputSchema])).not.toMatch(/`\d{3}`|\bv\d\b|pagination|header/i);
    expect(outputSchema?.type ?? 'object').toBe('object');
    expect(Object.keys(annotations ?? {})).toHaveLength(4);
  }
  // Such JSON has about four bytes per token. Three is on the safe side.
  expect(Buffer.byteLength(JSON.stringify(tools)) / 3).toBeLessThanOrEqual(500 * tools.length);
});
