import { contract } from '@petstore/contract';
import { toolsOf } from '@contract-kit/mcp';
import { connectMcp, textOf } from '@contract-kit/local-stack/mcp-client';
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

test.each(['legacy', 'auto'] as const)('lists and cancels orders, negotiating as %s', async (mode) => {
  const { client, call } = await connectMcp(service.origin, await service.key(), { mode });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(toolsOf(contract).map(({ name }) => name));
  expect(await call('listOrders')).toMatchObject({ structuredContent: { total: 2 } });
  expect(await call('cancelOrder', { orderId: '1' })).toMatchObject({
    structuredContent: { outcome: 'The order is cancelled.', orderId: '1' },
  });
  expect(textOf(await call('cancelOrder', { orderId: 2 }))).toMatch(/Code: order_already_shipped\./);
});
