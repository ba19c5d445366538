import { describeWith } from '@contract-kit/test-support';
import type { Page } from 'playwright-core';
import { useBrowser } from '@contract-kit/test-support/browser';
import { contractFrom } from '@contract-kit/test-support/contracts';
import type { ServerResponse } from 'node:http';
import { answer, faultsOf, openAll, pageOf, servePages } from '../support/docs-page.ts';
import { shared, until } from '@contract-kit/test-support/testing';
import { forever, handlersOf, listOf, streaming, then, type Returned } from '../library/streaming.ts';

const event = (n: number) => ({ event: 'count', id: String(n), data: { n } });

describeWith(['Chromium'], 'a stream on the docs page', () => {
  let body: Returned;
  const service = shared(() => streaming.startTestService({ handlers: handlersOf(() => body) }));
  const browser = useBrowser();

  async function send(): Promise<Page> {
    const page = await browser.visit(`${service.origin}/docs`);
    await openAll(page);
    await page
      .locator('#events')
      .getByLabel('Key')
      .fill(await service.unlimitedKey());
    await page.locator('#events').getByRole('button', { name: 'Send' }).click();
    return page;
  }

  test('is shown as it arrives, and ends with its button', async () => {
    let signal: AbortSignal | undefined;
    body = (_input, context) => then([event(1)], () => forever((signal = context.signal)));
    const page = await send();
    const shown = answer(page, 'events');
    await shown.getByText('event: count · id: 1').waitFor();
    expect(await shown.locator('li pre').innerText()).toBe('{\n  "n": 1\n}');
    expect(signal?.aborted).toBe(false);
    expect(await faultsOf(page, '#events')).toEqual([]);
    await shown.getByRole('button', { name: 'Stop' }).click();
    await shown.getByText('Stopped.').waitFor();
    await until(() => signal?.aborted === true);
    expect(await shown.getByRole('button', { name: 'Stop' }).count()).toBe(0);
  });

  test('that ends says so', async () => {
    body = () => listOf(event(1), event(2));
    const page = await send();
    await answer(page, 'events').getByText('The stream has ended.').waitFor();
    expect(await answer(page, 'events').locator('li small').allInnerTexts()).toEqual([
      'event: count · id: 1',
      'event: count · id: 2',
    ]);
  });
});

const ANYTHING = `
openapi: 3.1.0
info: { title: Streams, version: 1.0.0 }
paths:
  /items: { get: { operationId: items, responses: { default: { description: Items. } } } }
`;

describeWith(['Chromium'], 'what any server streams', () => {
  const browser = useBrowser();
  let respond: (response: ServerResponse) => void;
  let origin: string;
  beforeAll(async () => {
    const html = pageOf(contractFrom(ANYTHING));
    origin = await servePages(
      (place) => (place === '/docs' ? html : undefined),
      (_request, response) => respond(response),
    );
  });

  async function send(type: string, write: (response: ServerResponse) => void): Promise<Page> {
    respond = (response) => write(response.writeHead(200, { 'Content-Type': type }));
    const page = await browser.visit(`${origin}/docs`);
    await openAll(page);
    await page.locator('#items').getByRole('button', { name: 'Send' }).click();
    return page;
  }
  const items = (page: Page) => answer(page, 'items').locator('li').allInnerTexts();

  test('is one block for each event, without comments and unfinished events', async () => {
    const page = await send('text/event-stream', (response) =>
      response.end(': beat\n\nevent: a\r\nid: 7\r\ndata: {"n":1}\r\n\r\ndata: x\ndata:  y\n\ndata: cut'),
    );
    await answer(page, 'items').getByText('The stream has ended.').waitFor();
    expect(await items(page)).toEqual(['event: a · id: 7\n{\n  "n": 1\n}', 'x\n y']);
  });

  test('is one block for each line, and keeps exact numbers', async () => {
    const page = await send('application/x-ndjson', (response) =>
      response.end('{"id":9007199254740993}\n\n[1]'),
    );
    await answer(page, 'items').getByText('The stream has ended.').waitFor();
    expect(await items(page)).toEqual(['{\n  "id": 9007199254740993\n}', '[\n  1\n]']);
  });

  test('that breaks off says so, and keeps what has arrived', async () => {
    let response: ServerResponse | undefined;
    const page = await send('application/jsonl', (begun) => (response = begun).write('1\n2\n'));
    await answer(page, 'items').getByText('2 items').waitFor();
    response?.destroy();
    await answer(page, 'items').getByText('The stream broke off:').waitFor();
    expect(await items(page)).toEqual(['1', '2']);
  });

  test('keeps the last items of many', async () => {
    const page = await send('application/jsonl', (response) =>
      response.end(Array.from({ length: 1_000 }, (_, n) => `${n}\n`).join('')),
    );
    await answer(page, 'items').getByText('1000 items, the last 200 below').waitFor();
    expect((await items(page)).at(-1)).toBe('999');
    expect(await answer(page, 'items').locator('li').count()).toBe(200);
  });

  test('leaves the keyboard where its button was', async () => {
    const page = await send('application/jsonl', (response) => response.write('1\n'));
    await page.getByRole('button', { name: 'Stop' }).focus();
    await page.keyboard.press('Enter');
    await answer(page, 'items').getByText('Stopped.').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Stopped.');
  });
});
