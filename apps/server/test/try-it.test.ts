import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describeWith } from '@petstore/local-stack';
import type { Browser, Page } from 'playwright-core';
import { assets } from '../src/pages/docs-assets.ts';
import { renderPage } from '../src/pages/html.ts';
import { launchBrowser } from './support/browser.ts';
import { wideContract } from './support/wide-contract.ts';

const ANSWER = '{"id":9007199254740993}';

/* The try-it panels of a contract that has everything, before a server that only notes what it is sent. */

describeWith(['Chromium'], 'what the try-it panels send', () => {
  const html = renderPage(wideContract(), (file) => assets[file].url);
  const sent: { request: IncomingMessage; body: string }[] = [];
  const server = createServer((request, response) => {
    const asset = Object.values(assets).find(({ url }) => url === request.url);
    if (asset) response.setHeader('Content-Type', asset.type).end(asset.bytes);
    else if (request.url === '/docs') response.setHeader('Content-Type', 'text/html').end(html);
    else void note(request).then(() => response.setHeader('Content-Type', 'application/json').end(ANSWER));
  });
  async function note(request: IncomingMessage): Promise<void> {
    sent.push({ request, body: await text(request) });
  }
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    browser = await launchBrowser();
  });

  beforeEach(async () => {
    sent.length = 0;
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`);
    await page.evaluate(`document.querySelectorAll('details').forEach((details) => (details.open = true))`);
  });

  afterEach(() => page.close());

  afterAll(async () => {
    await browser.close();
    server.close();
  });

  /** Fills in the panel of an operation and sends it; what was sent. */
  async function send(id: string, fields: Record<string, string>): Promise<(typeof sent)[number]> {
    const form = page.locator(`#${id} form`);
    for (const [name, value] of Object.entries(fields)) {
      const select = form.locator(`select[name="${name}"]`);
      if (await select.count()) await select.selectOption(value);
      else await form.locator(`[name="${name}"]`).fill(value);
    }
    await form.getByRole('button', { name: 'Send' }).click();
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Send the request' });
    if ((await form.getAttribute('data-method')) !== 'GET') await confirm.click();
    await page.locator(`#${id}`).getByRole('status').locator('pre').waitFor();
    const [only, ...more] = sent;
    expect(more).toEqual([]);
    if (!only) throw new Error('nothing was sent');
    return only;
  }

  test('parameters of the query, lists and escapes among them, and headers', async () => {
    await page.locator('#key-apiKey').fill('secret');
    const { request } = await send('findPets', {
      kind: 'cat',
      name: 'a&b',
      tag: 'x, y',
      color: 'black,white',
      'X-Depth': '3',
    });
    expect(request.url).toBe('/v1/pets?kind=cat&name=a%26b&tag=x&tag=y&color=black,white');
    expect(request.headers).toMatchObject({ authorization: 'Bearer secret', 'x-depth': '3' });
  });

  test('a body, as it was typed', async () => {
    await page.locator('#key-apiKey').fill('secret');
    const { request, body } = await send('replacePet', { petId: '7', body: '{"id": 9007199254740993}' });
    expect([request.method, request.url, body]).toEqual(['PUT', '/v1/pets/7', '{"id": 9007199254740993}']);
    expect(request.headers['content-type']).toBe('application/json');
  });

  test('an answer whose numbers are shown as they came', async () => {
    await send('getStatus', {});
    expect(await page.locator('#getStatus').getByRole('status').innerText()).toContain(
      '"id": 9007199254740993',
    );
  });

  test.each([
    [
      'the first alternative that there are keys for',
      'pay',
      ['operator'],
      { authorization: `Basic ${btoa(':one')}` },
    ],
    [
      'every key of an alternative',
      'replaceSettings',
      ['apiKey', 'partner'],
      { authorization: 'Bearer one', 'x-partner-key': 'one' },
    ],
  ])('%s', async (_what, id, schemes, headers) => {
    for (const scheme of schemes) await page.locator(`#key-${scheme}`).fill('one');
    expect((await send(id, {})).request.headers).toMatchObject(headers);
  });

  test('no key where none is needed', async () => {
    expect((await send('getStatus', {})).request.headers.authorization).toBeUndefined();
  });
});
