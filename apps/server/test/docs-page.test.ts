import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { errorCodes, plans } from '@petstore/contract';
import { describeWith } from '@petstore/local-stack';
import type { Page } from 'playwright-core';
import { describeTrying, OPERATIONS } from './suites/try-it.ts';
import { useBrowser } from './support/browser.ts';
import { answer, askToCancel, cancel, openAll } from './support/docs-page.ts';
import { scaled } from './support/scale.ts';
import { sharedService } from './support/service.ts';

const service = sharedService();

beforeAll(() => service.addOrders([{ id: 1 }, { id: 2 }]));

describeWith(['Chromium'], 'the docs page in a browser', () => {
  const browser = useBrowser();
  const { problems } = browser;
  const visit = (look?: Parameters<typeof browser.visit>[1], fragment = '') =>
    browser.visit(`${service.origin}/docs${fragment}`, look);
  const contents = (page: Page) => page.getByRole('navigation', { name: 'Contents' });

  describeTrying(browser, service);

  test('takes at most 150 kB, from its own origin alone, breaks no policy and logs no error', async () => {
    const page = await visit();
    let bytes = 0;
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await page.reload({ waitUntil: 'networkidle' });
    await openAll(page);
    await session.detach();
    expect(problems).toEqual([]);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThanOrEqual(150_000);
  });

  test('says at the top what the API is, where a key comes from, and what to send first', async () => {
    const page = await visit();
    const start = page.locator('#page-start');
    expect(await start.getByRole('heading', { level: 1 }).innerText()).toBe('Petstore Store Orders');
    expect(await start.innerText()).toContain(`This server: ${service.origin}/v1\n`);
    expect(await start.locator('pre:visible').innerText()).toContain(
      `curl '${service.origin}/v1/store/orders'`,
    );
    await start.getByLabel('TypeScript').check({ force: true });
    expect(await start.locator('pre:visible').innerText()).toContain('await petstore.listOrders()');
    await start.getByRole('link', { name: 'key' }).click();
    expect(await page.locator('#about-authentication').innerText()).toContain('for a key');
  });

  test('reads without JavaScript, and shows nothing that needs it', async () => {
    const page = await visit({ javaScriptEnabled: false });
    await page.locator('#cancelOrder').getByLabel('Python').check({ force: true });
    expect(await page.locator('#cancelOrder pre:visible').innerText()).toContain('urlopen(request)');
    await page.locator('#cancelOrder .response', { hasText: '409' }).locator('summary').click();
    expect(await page.locator('#cancelOrder').innerText()).toContain('"code": "order_already_shipped"');
    expect(await page.locator('.js:visible').count()).toBe(0);
  });

  test('groups the operations by the navigation groups Pets and Store', async () => {
    const page = await visit();
    const group = (name: string) =>
      contents(page)
        .locator('li')
        .filter({ has: page.getByRole('link', { name, exact: true }) });
    expect(await group('Store').locator('ul a').allInnerTexts()).toEqual([
      'Orders',
      'GET List orders',
      'DELETE Cancel an order',
    ]);
    expect(await group('Pets').locator('ul a').allInnerTexts()).toEqual(['GET Get a pet']);
    expect(await page.locator('#group-store > #group-orders > #cancelOrder').count()).toBe(1);
  });

  test('shows since when getPet is deprecated, and when it goes away', async () => {
    const page = await visit();
    expect(await page.locator('#getPet .badge').allInnerTexts()).toEqual([
      'deprecated since 2026-11-01',
      'sunset 2027-06-30',
    ]);
    expect(await contents(page).locator('s').allInnerTexts()).toEqual(['Get a pet']);
  });

  test('begins where the address says, as the Link header of getPet does, and marks that in the contents', async () => {
    const { headers } = await service.request('/v1/pets/1', { key: service.ownKey });
    expect(headers.get('link')).toContain('</docs#getPet>');
    const page = await visit({}, '#getPet');
    await contents(page).locator('[aria-current]', { hasText: 'Get a pet' }).waitFor();
    expect((await page.locator('#getPet').boundingBox())?.y).toBeLessThan(100);
  });

  test('has samples for every operation before anything is sent, and copies the one that is shown', async () => {
    const page = await visit();
    await page.locator('#listOrders').getByLabel('fetch').check({ force: true });
    for (const operationId of OPERATIONS) {
      await page.locator(`#${operationId}`).getByRole('button', { name: 'Copy' }).click();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        await page.locator(`#${operationId} .samples pre:visible`).innerText(),
      );
    }
    // That of the first request as well.
    const shown = page.locator('.samples pre:visible', { hasText: 'await fetch' });
    expect(await shown.count()).toBe(OPERATIONS.length + 1);
  });

  test('cannot send anything to another origin', async () => {
    const page = await visit();
    const refused = page.evaluate(`fetch('http://127.0.0.2:9/', { method: 'POST', mode: 'no-cors' })`);
    await expect(refused).rejects.toThrow('Failed to fetch');
    expect(problems.join()).toMatch(/connect to|connect-src/);
  });

  test('lists the plans and the error codes of the contract, and nothing meant for its authors', async () => {
    const page = await visit();
    const rows = async (id: string) =>
      Promise.all(
        (await page.locator(`#${id} tbody tr`).all()).map((row) => row.locator('td').allInnerTexts()),
      );
    expect(await rows('about-rate-limits')).toEqual(
      Object.values(plans).map(({ name, quota }) => [
        name,
        quota ? quota.perMinute.toLocaleString('en') : 'custom',
        quota ? quota.perDay.toLocaleString('en') : 'custom',
      ]),
    );
    expect((await rows('about-errors')).map(([code = '']) => code.split('\n'))).toEqual(
      Object.entries(errorCodes).map(([code, status]) => [code, String(status)]),
    );
    expect(await page.locator('body').innerText()).not.toMatch(/\bx-[a-z]|navigation group/);
  });

  test('shows of each response the example, the codes, and the headers that not every response has', async () => {
    const page = await visit();
    await openAll(page);
    const response = (status: string) =>
      page.locator('#cancelOrder .response', { hasText: status }).innerText();
    expect(await page.locator('#listOrders .response').first().innerText()).toContain('"petId": 12');
    expect(await response('429')).toContain('Code: rate_limit_exceeded or api_key_banned');
    expect(await response('429')).toContain('Headers: Retry-After, and those of every response.');
    expect(await response('409')).toContain('Headers: those of every response.');
  });

  test('finds what is anywhere on the page, from the keyboard too', async () => {
    const page = await visit({}, '#cancelOrder');
    const place = await page.evaluate('scrollY');
    await page.keyboard.press('/');
    expect(await page.evaluate('scrollY')).toBe(place);
    await page.keyboard.type('already shipped');
    const found = page.locator('#page-found');
    expect(await found.getByRole('link').allInnerTexts()).toEqual(
      expect.arrayContaining(['Cancel an order', 'order_already_shipped']),
    );
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const second = found.getByRole('link').nth(1);
    const [href, focused] = [await second.getAttribute('href'), 'document.activeElement.hash'];
    expect(await page.evaluate(focused)).toBe(href);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    expect(await page.evaluate('document.activeElement.id')).toBe('page-search');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).not.toBe('');
    expect(await found.isVisible()).toBe(false);
  });

  test('fits a phone: nothing is wider than 320 pixels, and the contents open on demand', async () => {
    const page = await visit({ width: 320 });
    await openAll(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    const link = contents(page).getByRole('link', { name: 'Cancel an order' });
    expect(await link.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Contents' }).click();
    await link.click();
    expect(await link.isVisible()).toBe(false);
    expect((await page.locator('#cancelOrder').boundingBox())?.y).toBeLessThan(100);
  });

  test('has its colours from the system, or as chosen, which a later visit remembers', async () => {
    const page = await visit({ colorScheme: 'light' });
    const colour = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await colour();
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await colour();
    expect(dark).not.toBe(light);
    await page.getByLabel('Colours').selectOption('☀ Light');
    await page.reload();
    expect(await colour()).toBe(light);
    await page.getByLabel('Colours').selectOption('◐ System');
    expect(await colour()).toBe(dark);
  });

  test('selects a sample for the reader to copy where the clipboard is refused', async () => {
    const page = await visit();
    await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))`);
    const sample = page.locator('#cancelOrder');
    await sample.locator('.copy').click();
    await sample.getByRole('button', { name: 'Selected' }).waitFor();
    expect(await page.evaluate('getSelection().toString()')).toContain('curl --request DELETE');
    expect(problems).toEqual([]);
  });

  test('works where the reader lets sites keep nothing', async () => {
    const page = await (await visit()).context().newPage();
    await page.addInitScript(
      `Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('refused', 'SecurityError') } })`,
    );
    await page.goto(`${service.origin}/docs`);
    await page.getByLabel('Search').fill('shipped');
    expect(await page.locator('#page-found').isVisible()).toBe(true);
    await page.close();
  });

  test('is printed in dark on light, with what is folded', async () => {
    const page = await visit({ colorScheme: 'dark', media: 'print' });
    const colour = await page.evaluate('getComputedStyle(document.body).color');
    expect([colour, await page.getByText('"code": "order_already_shipped"').isVisible()]).toEqual([
      'rgb(23, 33, 31)',
      true,
    ]);
  });

  test('marks what is chosen also where the system has all the colours', async () => {
    const page = await visit({ forcedColors: 'active' });
    const lines = (selector: string) =>
      page.evaluate(
        `[...document.querySelectorAll('${selector}')].map((one) => getComputedStyle(one).textDecorationLine)`,
      );
    expect(await lines('nav [aria-current]')).toEqual(['underline']);
    expect(await lines('#listOrders .samples label')).toEqual(['underline', 'none', 'none', 'none']);
  });

  test('begins, for the keyboard, with a link past what repeats', async () => {
    const page = await visit();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(`document.activeElement.closest('main') !== null`)).toBe(true);
  });

  const axe = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');

  type Look = ['light' | 'dark', number];
  const usual: Look[] = [
    ['light', 1440],
    ['dark', 390],
  ];
  const others: Look[] = [
    ['dark', 1440],
    ['light', 390],
  ];

  test.each(scaled({ usually: usual, full: [...usual, ...others] }))(
    'gives axe nothing to find in %s colours, %d pixels wide',
    async (colorScheme, width) => {
      const page = await visit({ colorScheme, width });
      await cancel(page, '4712', service.ownKey);
      await answer(page).getByText('404 DELETE').waitFor();
      const faults = async () => {
        await page.evaluate(axe);
        return page.evaluate(
          `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target)))`,
        );
      };
      expect(await faults()).toEqual([]);
      await askToCancel(page, '2', service.ownKey);
      expect(await faults()).toEqual([]);
    },
  );
});
