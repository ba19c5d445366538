import http from 'node:http';
import { describeWith } from '@contract-kit/test-support';
import { defineService, notYet, type ErrorBodyMaker } from '../../src/index.ts';
import { acceptQueryOf } from '../../src/http/accept-query.ts';
import { idsIn, newestContract, openContract, openErrorBody } from '@contract-kit/test-support/contracts';
import { useBrowser } from '@contract-kit/test-support/browser';
import { faultsOf, openAll } from '../support/docs-page.ts';
import { shared } from '@contract-kit/test-support/testing';
import { createTestTools } from '../support/tools.ts';

/* The method QUERY (RFC 10008), with the contract of OpenAPI 3.2. */

const SHOP = 'https://shop.example';
const env = { CORS_ORIGINS: SHOP };
const start = (contract: ReturnType<typeof newestContract>, errorBody?: ErrorBodyMaker) => {
  const handlers = Object.fromEntries(idsIn(contract).map((id) => [id, notYet]));
  const feature = { open: () => ({}), handlers: () => handlers };
  return createTestTools(
    defineService(
      contract,
      { newest: feature },
      {
        version: '1.0.0',
        description: 'The newest.',
        ...(errorBody && { errorBody }),
      },
    ),
  );
};

const emma = { id: 7, name: 'Emma' };
const received: unknown[] = [];
const service = shared(async () => {
  const handlers = {
    listBooks: () => ({ status: 200, body: [emma] }),
    findBooks: ({ body }: { body: unknown }) => {
      received.push(body);
      return { status: 200, body: [emma] };
    },
  };
  const running = await start(newestContract()).startTestService({ env, handlers });
  return { ...running, suiteKey: await running.unlimitedKey() };
});

const BOOKS = '/v1/books';
const ask = (method: string, target = BOOKS, init: RequestInit & { key?: string } = {}) =>
  service.request(target, { method, key: service.suiteKey, ...init });
const query = (body: string, type = 'application/json', target = BOOKS) =>
  ask('QUERY', target, { body: Buffer.from(body), headers: type ? { 'content-type': type } : {} });

test('every response at the path of a QUERY names the media types that it takes', async () => {
  const responses = {
    200: await ask('GET'),
    '200 to HEAD': await ask('HEAD'),
    '200 to QUERY': await query('{}'),
    204: await ask('OPTIONS'),
    400: await query('{'),
    '400 without a type': await query('{}', ''),
    401: await ask('GET', BOOKS, { key: '' }),
    405: await ask('DELETE'),
    415: await query('{}', 'text/plain'),
  };
  for (const [status, response] of Object.entries(responses)) {
    expect([status, response.status]).toEqual([status, parseInt(status)]);
    expect([status, response.headers.get('accept-query')]).toEqual([status, '"application/json"']);
    expect([status, response.headers.get('cache-control')]).toEqual([status, 'no-store']);
  }
  for (const status of [204, 405] as const)
    expect(responses[status].headers.get('allow')).toBe('GET, HEAD, QUERY, OPTIONS');
  expect((await ask('OPTIONS', '/v1/session')).headers.get('accept-query')).toBeNull();
  expect((await ask('OPTIONS', '/v1/shelves/a/notes')).headers.get('accept-query')).toBe(
    '"application/x-www-form-urlencoded", "application/vnd.notes";version="2", "text/plain"',
  );
});

test('media types are written as a structured field (RFC 9651)', () => {
  expect(acceptQueryOf(['*/*', 'text/*', 'application/*+json', 'a/b; Q="\\"; x!=1; charset=utf-8'])).toBe(
    '"*/*", "text/*", "a/b";q="\\\\"',
  );
});

test('browsers of other origins may send it, after a preflight', async () => {
  const headers = { origin: SHOP, 'access-control-request-method': 'QUERY' };
  const preflight = await ask('OPTIONS', BOOKS, { headers });
  expect(preflight.headers.get('access-control-allow-methods')?.split(',')).toContain('QUERY');
  const response = await ask('GET', BOOKS, { headers: { origin: SHOP } });
  expect(response.headers.get('access-control-expose-headers')?.split(',')).toContain('Accept-Query');
  const other = await start(openContract(), openErrorBody).startTestService({ env });
  const without = await other.request('/api/', { method: 'OPTIONS', headers });
  expect(without.headers.get('access-control-allow-methods')).not.toContain('QUERY');
});

test('a Node.js whose parser does not know it is refused at start', async () => {
  // As that of 20.19.0 to 20.19.2 and of 22.0 and 22.1.
  const methods = jest.replaceProperty(
    http,
    'METHODS',
    http.METHODS.filter((method) => method !== 'QUERY'),
  );
  await expect(start(newestContract()).startTestService()).rejects.toThrow(
    'takes no QUERY requests, and the contract has QUERY /books: use the latest Node.js of its line',
  );
  methods.restore();
});

test('the document is published as OpenAPI 3.2, with what it says', async () => {
  const document: unknown = await (await service.request('/openapi.json')).json();
  expect(document).toMatchObject({
    openapi: '3.2.0',
    $self: 'https://api.library.example/newest.yaml',
    servers: [{ url: `${service.origin}/v1` }, { name: 'production' }],
    tags: [{}, { summary: 'Notes on books', parent: 'catalogue' }, { kind: 'badge' }],
    paths: {
      '/books': {
        get: { responses: { 200: { summary: 'Every book.' } } },
        query: {
          requestBody: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Wanted' } } },
          },
        },
      },
    },
    components: {
      schemas: { Animal: { discriminator: { defaultMapping: 'Other' } } },
      securitySchemes: {
        old: { deprecated: true },
        login: { flows: { deviceAuthorization: {} } },
      },
    },
  });
});

describeWith(['Chromium'], 'the docs page with a QUERY, in a browser', () => {
  const browser = useBrowser();

  test('shows it, and sends it without asking for a confirmation', async () => {
    const page = await browser.visit(`${service.origin}/docs`);
    await openAll(page);
    const article = page.locator('#findBooks');
    expect(await article.innerText()).toMatch(/Find books\s+QUERY \/books Preview/);
    expect(await article.innerText()).toContain('curl --request QUERY');
    const contents = page.getByRole('navigation', { name: 'Contents' });
    expect(await contents.innerText()).toContain('The catalogue');
    const notes = contents.locator('li li').filter({ hasText: 'Notes on books' });
    expect(await notes.innerText()).toContain('QUERY findNotes');
    expect(await page.locator('#listBooks .response').first().innerText()).toContain('Every book.');
    expect(await page.locator('#about-authentication').innerText()).toContain('Deprecated.');
    expect(await page.locator('#schema-Animal').innerText()).toContain(
      'Other if kind is Other or anything else',
    );
    await article.getByLabel('Key').first().fill(service.suiteKey);
    await article.locator('[data-body]').fill('{ "ids": [9007199254740991] }');
    received.length = 0;
    await article.getByRole('button', { name: 'Send' }).click();
    await article.locator('.answer').getByText('"Emma"').waitFor();
    expect(received).toEqual([{ ids: [9007199254740991] }]);
    expect(await faultsOf(page, '#findBooks')).toEqual([]);
    expect(browser.problems).toEqual([]);
  });
});
