import { defineService } from '@contract-kit/server';
import { contractFrom } from '@contract-kit/test-support/contracts';
import { rateLimitIn, until } from '@contract-kit/test-support/testing';
import { contract, createTestTools, handling, library } from './support.ts';

const other = contractFrom(
  `openapi: 3.1.0
info: { title: Invoices, version: '1' }
servers: [{ url: /v1 }]
security: [{ token: [] }]
x-rate-limit-plans: { free: { name: Free, perMinute: 60, perDay: 600 } }
paths: { /invoices: { get: { operationId: listInvoices, responses: { '200': { description: All., content: { application/json: { schema: { type: array } } } } } } } }
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
`,
  { name: 'invoices', keyPrefix: 'inv_', databaseFile: 'store.db' },
);
const invoices = defineService(
  other,
  { all: handling(other, () => ({ status: 200, body: [] })) },
  { version: '1.0.0', description: 'Invoices.' },
);
const free = { name: 'Free', quota: { perMinute: 5, perDay: 50 } };
const small = { ...library, contract: { ...contract, plans: { ...contract.plans, free } } };

test('two services in one process have separate limits, keys and metrics', async () => {
  const first = await createTestTools(invoices).startTestService();
  const handlers = { listLoans: () => ({ status: 200, body: [] }) };
  const second = await createTestTools(small).startTestService({ handlers });
  const [firstKey, secondKey] = [await first.key('free'), await second.key('free')];
  expect([firstKey, secondKey].map((key) => key.split('_')[0])).toEqual(['inv', 'lib']);

  const invoicesOf = (key: string) => first.request('/v1/invoices', { key });
  const loansOf = (key: string) => second.request('/v1/loans', { key });
  expect([(await invoicesOf(secondKey)).status, (await loansOf(firstKey)).status]).toEqual([401, 401]);

  for (const remaining of [4, 3, 2, 1, 0])
    expect(rateLimitIn((await loansOf(secondKey)).headers)).toMatchObject({ limit: 5, remaining });
  expect((await loansOf(secondKey)).status).toBe(429);
  expect(rateLimitIn((await invoicesOf(firstKey)).headers)).toMatchObject({ limit: 60, remaining: 59 });

  const metrics = async ({ request }: Pick<typeof first, 'request'>) => (await request('/metrics')).text();
  await until(async () =>
    (await metrics(first)).includes('\ninvoices_requests_total{operation="listInvoices",status="200"} 1\n'),
  );
  await until(async () =>
    (await metrics(second)).includes('\nlibrary_requests_total{operation="listLoans",status="429"} 1\n'),
  );
  expect(await metrics(first)).not.toContain('library');
  expect(await metrics(second)).not.toContain('invoices_');
});
