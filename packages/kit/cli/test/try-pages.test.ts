import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tryPages } from '../src/check/try-pages.ts';

/** The statuses of pages; others respond with 200. */
const statuses: Record<string, number> = {};
const server = createServer((req, res) => {
  res.statusCode = statuses[req.url ?? ''] ?? 200;
  res.end(JSON.stringify({ pages: ['/docs', '/docs/loans'] }));
});
let origin: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server.close());

test('contract:check asks for each page, those of the search index, and the list of tools', async () => {
  const service = { origin, key: 'key_1' };
  expect(await tryPages(service, new Set())).toEqual([]);
  for (const page of [
    '/docs',
    '/docs.md',
    '/docs/search.json',
    '/llms.txt',
    '/openapi.json',
    '/docs/loans',
    '/mcp',
  ]) {
    statuses[page] = 500;
    expect(await tryPages(service, new Set())).toEqual([`${page} responds with 500; report it`]);
    expect(await tryPages(service, new Set([page]))).toEqual([]);
    delete statuses[page];
  }
});
