import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { JsonObject } from '@contract-kit/core/json';
import type { Request } from 'express';
import { parse } from 'yaml';
import { renditionsOf } from '../src/docs/rendition.ts';
import { sharedService, startTestService, type TestService, numbered } from './library/service.ts';
import { contract, model } from './library/contract.ts';
import { expectCommonHeaders } from '@contract-kit/test-support/testing';
import { responseTo } from '../src/testing/raw.ts';

interface Document {
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly components: { readonly schemas: Record<string, Record<string, Record<string, object>>> };
  readonly paths: Record<string, unknown>;
}

const PRODUCTION = 'https://api.library.example/v1';

const service = sharedService({ env: { TRUST_PROXY: '127.0.0.1' } });

const documentAt = async (origin: TestService = service, headers: Record<string, string> = {}) =>
  (await (await origin.request('/openapi.json', { headers })).json()) as Document;

/** The address of the first server in the document, for the head of a request. */
async function firstServer(head: string): Promise<string | undefined> {
  const request = `GET /openapi.json ${head}\r\nConnection: close\r\n\r\n`;
  return ((await (await responseTo(service.origin, request)).json()) as Document).servers[0]?.url;
}

test('the first server in the document is the one that served it, and none is localhost', async () => {
  const { servers } = await documentAt();
  expect(servers.map(({ url }) => url)).toEqual([`${service.origin}/v1`, PRODUCTION]);
});

test.each([
  ['HTTP/1.1\r\nHost: api.example:8443', 'http://api.example:8443/v1'],
  ['HTTP/1.1\r\nHost: API.example', 'http://api.example/v1'],
  ['HTTP/1.1\r\nHost: [::1]:3000', 'http://[::1]:3000/v1'],
  ['HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https', 'https://x/v1'],
])('a document requested with %j names %s', async (head, url) => {
  expect(await firstServer(head)).toBe(url);
});

test.each([
  ['a Host that a shell would read', 'HTTP/1.1\r\nHost: a$(b)'],
  ['a Host longer than a name can be', `HTTP/1.1\r\nHost: ${'a'.repeat(254)}`],
  ['a port that there is not', 'HTTP/1.1\r\nHost: x:99999'],
  ['an unknown protocol', 'HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: javascript'],
  ['no Host', 'HTTP/1.0'],
])('%s leads to the address that the request was received at', async (_what, head) => {
  expect(await firstServer(head)).toBe(`${service.origin}/v1`);
});

test('with PUBLIC_URL, the document names it, and each server once', async () => {
  const published = await startTestService({ env: { PUBLIC_URL: 'https://api.library.example' } });
  const { servers } = await documentAt(published, { host: 'elsewhere.example' });
  expect(servers).toEqual([{ url: PRODUCTION, description: 'Production' }]);
});

test('the YAML equals the JSON for parsers of YAML 1.2 and YAML 1.1', async () => {
  const yaml = await (await service.request('/openapi.yaml')).text();
  const document = await documentAt();
  expect(parse(yaml)).toEqual(document);
  expect(parse(yaml, { version: '1.1' })).toEqual(document);
});

test('the served document breaks no rule of Redocly that the contract keeps', async () => {
  const config = path.join(import.meta.dirname, '../../../../redocly.yaml');
  const messages = async (name: string) => {
    const args = ['redocly', 'lint', name, `--config=${config}`, '--format=json'];
    const { stdout } = await promisify(execFile)('npx', args).catch((error: { stdout: string }) => error);
    const { problems } = JSON.parse(stdout) as { problems: { message: string }[] };
    return problems.map(({ message }) => message);
  };
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'library-served-')), 'openapi.json');
  writeFileSync(file, JSON.stringify(await documentAt()));
  const ofContract = await messages(require.resolve('@contract-kit/test-support/kitchen-sink/openapi.yaml'));
  expect(ofContract).toEqual(expect.arrayContaining(await messages(file)));
});

test('apart from its server and code samples, the document is the contract, name for name', async () => {
  const served = await documentAt();
  for (const item of Object.values(served.paths as Record<string, Record<string, JsonObject>>))
    for (const operation of Object.values(item)) delete operation['x-codeSamples'];
  expect({ ...served, servers: [] }).toEqual({ ...contract.document, servers: [] });
});

test.each(['/openapi.json', '/docs'])('%s is sent again only if it has changed', async (target) => {
  const { headers } = await service.request(target);
  const tag = headers.get('etag') ?? '';
  expect(headers.get('cache-control')).toBe('no-cache');
  for (const known of [tag, `"other", ${tag.replace('W/', '')}`, '*']) {
    const again = await service.request(target, { headers: { 'if-none-match': known } });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', tag]);
    expectCommonHeaders(again.headers);
  }
  expect((await service.request(target, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
});

test.each([
  ['/', /^\/docs$/],
  ['/docs/', /^\/docs$/],
  ['/favicon.ico', /^\/docs\/assets\/.+\/favicon\.svg$/],
])('%s leads to %s', async (target, place) => {
  const { status, headers } = await service.request(target);
  expect([status, headers.get('location')]).toEqual([307, expect.stringMatching(place)]);
  expect((await service.request(headers.get('location') ?? '')).status).toBe(200);
});

test('the docs page allows scripts, styles and requests only from its origin, none inline', async () => {
  const policy = (await service.request('/docs')).headers.get('content-security-policy')?.split('; ');
  const own = ['script', 'style', 'connect'].map((kind) => `${kind}-src 'self'`);
  expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", ...own]));
  expect(policy?.join()).not.toContain('unsafe');
});

test('the files of the docs page are cached forever, and compressed', async () => {
  const html = await (await service.request('/docs')).text();
  const urls = [...html.matchAll(/(?:src|href)="([^"]+\/assets\/[^"]+)"/g)].map(([, url = '']) => url);
  expect(urls).toContainEqual(expect.stringMatching(/page\.js$/));
  for (const url of urls) {
    const { headers } = await service.request(url, { headers: { 'accept-encoding': 'gzip' } });
    expectCommonHeaders(headers);
    expect(headers.get('content-encoding')).toBe('gzip');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  }
});

describe('a page is compressed once, and', () => {
  const published = sharedService({ env: { PUBLIC_URL: 'https://library.example' } });
  const openapi = (encoding: string, init: RequestInit = {}) =>
    published.request('/openapi.json', { ...init, headers: { 'accept-encoding': encoding } });

  test.each([
    ...['gzip', 'gzip, deflate, br', '*', 'GZIP'].map((encoding) => [encoding, 'gzip']),
    ...['identity', 'br', 'gzip;q=0', 'identity, gzip;q=0.1', ';;;,,'].map((encoding) => [encoding, null]),
  ])('is sent to a client that accepts %p in the coding %p', async (accepted, coding) => {
    const [plain, response] = [await openapi('identity'), await openapi(accepted ?? '')];
    const { headers } = response;
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([coding, 'Accept-Encoding']);
    expect(await response.text()).toBe(await plain.text());
    const [whole, sent] = [plain.headers, headers].map((item) => Number(item.get('content-length')));
    expect(Number(sent) < Number(whole) / 2).toBe(coding === 'gzip');
  });

  test('has with HEAD the headers that GET has', async () => {
    const [get, head] = [await openapi('gzip'), await openapi('gzip', { method: 'HEAD' })];
    for (const name of ['content-encoding', 'content-length', 'vary', 'etag'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
  });
});

test('renders a page once for all origins, and keeps it compressed for those of the contract and few others', async () => {
  const pages = renditionsOf({ contract, model }, undefined);
  let rendered = 0;
  const pageOf = pages({
    type: 'text/plain',
    render: ({ document: { servers } }) => {
      rendered += 1;
      return `served at ${servers[0]?.url}, twice: ${servers[0]?.url}`;
    },
  });
  const at = async (host: string, protocol = 'http') => pageOf({ protocol, host, socket: {} } as Request);
  const all = await Promise.all(numbered(1_000).map(({ id }) => at(`host-${id}.example`)));
  expect(rendered).toBe(1);
  expect(String(all.at(-1)?.body)).toBe(
    'served at http://host-1000.example/v1, twice: http://host-1000.example/v1',
  );
  expect(new Set(all.map(({ headers }) => headers?.['ETag'])).size).toBe(1_000);
  expect(all.filter(({ gzip }) => gzip).length).toBeLessThan(10);
  const known = [all[0], await at('host-1.example'), await at('api.library.example', 'https')];
  expect(known.map((page) => String(gunzipSync(page?.gzip ?? '')))).toEqual(
    ['http://host-1.example', 'http://host-1.example', 'https://api.library.example'].map(
      (origin) => `served at ${origin}/v1, twice: ${origin}/v1`,
    ),
  );
});
