import { expectCommonHeaders } from './support/expect.ts';
import { startTestService, type TestService } from './support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.stop());

async function assetUrls(): Promise<string[]> {
  const html = await (await service.request('/docs')).text();
  return [...html.matchAll(/(?:src|href)="([^"]+\/assets\/[^"]+)"/g)].map(([, url = '']) => url);
}

test('the docs page allows scripts, styles and requests from its own origin alone, none of them inline', async () => {
  const policy = (await service.request('/docs')).headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("style-src 'self';");
  expect(policy).toContain("connect-src 'self';");
  expect(policy).not.toContain('unsafe');
});

test('the files of the docs page are kept for good', async () => {
  for (const url of await assetUrls()) {
    const response = await service.request(url);
    expectCommonHeaders(response.headers);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  }
});

test('the docs page has its files sent compressed to those who can read that', async () => {
  const url = (await assetUrls()).find((one) => one.endsWith('page.js')) ?? '';
  const plain = await service.request(url, { headers: { 'accept-encoding': 'identity' } });
  const compressed = await service.request(url, { headers: { 'accept-encoding': 'gzip' } });
  expect([plain.headers.get('content-encoding'), compressed.headers.get('content-encoding')]).toEqual([
    null,
    'gzip',
  ]);
  expect(plain.headers.get('vary')).toBe('Accept-Encoding');
  expect(await compressed.text()).toBe(await plain.text());
});

test('nothing of the folders of the docs page is served that it does not need', async () => {
  const folder = (await assetUrls())[0]?.replace(/[^/]+$/, '') ?? '';
  for (const name of ['', 'index.html', '../page.js', 'page.ts']) {
    expect((await service.request(`${folder}${name}`)).status).toBe(404);
  }
});

test('the files of the docs page are there to be read only', async () => {
  for (const url of await assetUrls()) {
    const refused = await service.request(url, { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    const head = await service.request(url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  }
});
