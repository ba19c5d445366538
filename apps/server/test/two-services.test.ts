import { readFileSync } from 'node:fs';
import { defineService } from '@contract-kit/server';
import { rateLimitIn, stopped, until } from '@contract-kit/test-support/testing';
import { createTestTools } from '@contract-kit/testing';
import { contractOf, parseContract } from '@contract-kit/core/openapi';
import { readModel } from '@contract-kit/core/model';
import { startPetstore } from './support/petstore.ts';

const text = readFileSync(require.resolve('@contract-kit/test-support/kitchen-sink/openapi.yaml'), 'utf8');
const names = { name: 'kitchen-sink', keyPrefix: 'ks_', databaseFile: 'store.db' };
const kitchenSink = contractOf(parseContract(text), names);

const free = { name: 'Free', quota: { perMinute: 5, perDay: 50 } };
const contract = { ...kitchenSink, plans: { ...kitchenSink.plans, free } };
const list = () => ({ status: 200, body: [] });
const all = {
  open: () => ({}),
  handlers: () => Object.fromEntries(readModel(contract.document).operations.map(({ id }) => [id, list])),
};
const sink = defineService(contract, { all }, { version: '1.0.0', description: 'Everything at once.' });

test('two services in one process have separate limits, keys and metrics', async () => {
  const [petstore, other] = [await startPetstore(), await stopped(createTestTools(sink).startTestService)()];
  const [petstoreKey, otherKey] = [await petstore.key('free'), await other.key('free')];
  expect([petstoreKey, otherKey].map((key) => key.split('_')[0])).toEqual(['pst', 'ks']);

  const orders = (key: string) => petstore.request('/v1/store/orders', { key });
  const loans = (key: string) => other.request('/v1/loans', { key });
  expect([(await orders(otherKey)).status, (await loans(petstoreKey)).status]).toEqual([401, 401]);

  for (const remaining of [4, 3, 2, 1, 0])
    expect(rateLimitIn((await loans(otherKey)).headers)).toMatchObject({ limit: 5, remaining });
  expect((await loans(otherKey)).status).toBe(429);
  expect(rateLimitIn((await orders(petstoreKey)).headers)).toMatchObject({ limit: 60, remaining: 59 });

  const metrics = async ({ request }: Pick<typeof petstore, 'request'>) => (await request('/metrics')).text();
  await until(async () =>
    (await metrics(petstore)).includes('\npetstore_requests_total{operation="listOrders",status="200"} 1\n'),
  );
  await until(async () =>
    (await metrics(other)).includes('\nkitchen_sink_requests_total{operation="listLoans",status="429"} 1\n'),
  );
  expect(await metrics(petstore)).not.toContain('kitchen_sink');
  expect(await metrics(other)).not.toContain('petstore');
});
