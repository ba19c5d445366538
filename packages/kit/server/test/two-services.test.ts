import { parseContract } from '@kit/tools/source-document';
import { contractOf } from '@kit/tools/contract-value';
import { contractText, library } from './library/library.ts';
import { rateLimitIn, toolsOf, until } from './support/index.ts';

const text = contractText.replace('perMinute: 60, perDay: 1000', 'perMinute: 5, perDay: 50');
const names = { name: 'bookshop', keyPrefix: 'bks_', databaseFile: 'shop.db' };
const bookshop = { ...library, contract: contractOf(parseContract(text), names) };

test('two services with two contracts in one process have limits, keys and metrics of their own', async () => {
  const [one, two] = [await toolsOf(library).startTestService(), await toolsOf(bookshop).startTestService()];
  const [oneKey, twoKey] = [await one.key('free'), await two.key('free')];
  expect([oneKey, twoKey].map((key) => key.slice(0, 4))).toEqual(['lib_', 'bks_']);

  const list = ({ request }: typeof one, key: string) => request('/v1/loans', { key });
  expect([(await list(one, twoKey)).status, (await list(two, oneKey)).status]).toEqual([401, 401]);

  for (const remaining of [4, 3, 2, 1, 0])
    expect(rateLimitIn((await list(two, twoKey)).headers)).toMatchObject({ limit: 5, remaining });
  expect((await list(two, twoKey)).status).toBe(429);
  expect(rateLimitIn((await list(one, oneKey)).headers)).toMatchObject({ limit: 60, remaining: 59 });

  const metrics = async ({ request }: typeof one) => (await request('/metrics')).text();
  const counted = (name: string, status: number, count: number) =>
    `\n${name}_requests_total{operation="listLoans",status="${status}"} ${count}\n`;
  await until(async () => (await metrics(one)).includes(counted('library', 200, 1)));
  await until(async () => (await metrics(two)).includes(counted('bookshop', 429, 1)));
  expect(await metrics(one)).not.toContain('bookshop');
  expect(await metrics(two)).not.toContain('library');
});
