import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { errorCodes, plans } from '@petstore/contract';
import { document } from '@petstore/contract/document';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from './support/browser.ts';
import { removeTestFolders, startTestService, type TestService } from './support/service.ts';
import { describeWith } from '@petstore/local-stack';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  key = await service.key();
  await service.addOrders([{ id: 1 }, { id: 2 }]);
});

afterAll(async () => {
  await service.stop();
  removeTestFolders();
});

describeWith(['Chromium'], 'the docs page in a browser', () => {
  let browser: Browser;
  /** One for all visits of the same kind, so that Chromium reads Swagger UI once. */
  let context: BrowserContext;
  /** Console errors (violations of the policy among them), exceptions, and requests to other origins. */
  let problems: string[];

  beforeAll(async () => {
    browser = await launchBrowser();
    context = await browser.newContext({ viewport: { width: 1280, height: 600 } });
  });

  beforeEach(() => {
    problems = [];
  });

  afterEach(async () => {
    for (const page of context.pages()) await page.close();
  });

  afterAll(() => browser.close());

  interface Visit {
    readonly fragment?: string;
    readonly colorScheme?: 'light' | 'dark';
    readonly width?: number;
    /** Served to the page in place of the contract. */
    readonly contract?: unknown;
  }

  async function visit({ fragment = '', colorScheme, width, contract }: Visit = {}): Promise<Page> {
    const page = await context.newPage();
    if (colorScheme) await page.emulateMedia({ colorScheme });
    if (width) await page.setViewportSize({ width, height: 740 });
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (protocol !== 'data:' && origin !== service.origin) problems.push(request.url());
    });
    if (contract) await page.route('**/openapi.json', (route) => route.fulfill({ json: contract }));
    await page.goto(`${service.origin}/docs${fragment}`);
    await page.locator('#getPet').waitFor();
    return page;
  }

  const open = (page: Page, operationId: string) =>
    page.locator(`#${operationId} .opblock-summary-control`).click();

  async function openAll(page: Page): Promise<void> {
    for (const operationId of ['listOrders', 'cancelOrder', 'getPet']) {
      await open(page, operationId);
      await page.locator(`#${operationId} .responses-table`).first().waitFor();
    }
    await page.evaluate(`document.querySelectorAll('details').forEach((details) => (details.open = true))`);
  }

  async function authorize(page: Page): Promise<void> {
    await page.locator('.scheme-container .authorize').click();
    await page.getByLabel('auth-bearer-value').fill(key);
    await page.locator('.auth-btn-wrapper .authorize').click();
    await page.locator('.auth-btn-wrapper .btn-done').click();
  }

  /** Cancels through the try-it panel, and returns the status that it shows. */
  async function cancelOnPage(page: Page, orderId: string): Promise<string> {
    await open(page, 'cancelOrder');
    const operation = page.locator('#cancelOrder');
    await operation.getByRole('button', { name: 'Try it out' }).click();
    const input = operation.locator('[data-param-name="orderId"] input');
    await input.fill(orderId);
    await input.blur();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const status = operation.locator('.live-responses-table .response-col_status').last();
    return (await status.innerText()).trim();
  }

  async function statusOf(id: number): Promise<string | undefined> {
    for await (const orders of service.store.orders.storedBatches()) {
      const order = orders.find((one) => one.id === id);
      if (order) return order.status;
    }
    return undefined;
  }

  test('loads from its own origin alone, breaks no policy and logs no error, with everything opened', async () => {
    const page = await visit();
    await openAll(page);
    await authorize(page);
    await page.locator('#schemas .json-schema-2020-12-expand-deep-button').first().click();
    expect(problems).toEqual([]);
  });

  test('groups the operations by the navigation groups Pets and Store', async () => {
    const page = await visit();
    const contents = page.getByRole('navigation', { name: 'Contents' });
    const group = (name: string) =>
      contents.locator('li').filter({ has: page.getByRole('link', { name, exact: true }) });
    expect(await group('Store').locator('ul a').allInnerTexts()).toEqual([
      'Orders',
      'GETList orders',
      'DELETECancel an order',
    ]);
    expect(await group('Pets').getByRole('link').count()).toBe(1);
    expect(await page.locator('#group-store > #group-orders #cancelOrder').count()).toBe(1);
  });

  test('shows getPet, which is in no group, as deprecated; the group Pets points to it', async () => {
    const page = await visit();
    expect(await page.locator('#group-pets .opblock').count()).toBe(0);
    await page.locator('#group-pets').getByRole('link', { name: 'Get a pet' }).click();
    const operation = page.locator('#group-rest #getPet');
    await operation.locator('.opblock-body').waitFor();
    expect(await page.locator('#group-rest > h2').innerText()).toBe('Deprecated');
    expect(await operation.locator('.docs-badge').allInnerTexts()).toEqual([
      'deprecated since 2026-11-01',
      'sunset 2027-06-30',
    ]);
    const line: unknown = await page.evaluate(
      `getComputedStyle(document.querySelector('#getPet [data-path="/pets/{petId}"]')).textDecorationLine`,
    );
    expect(line).toBe('line-through');
  });

  test('opens the operation that the address names, as the Link header of getPet does', async () => {
    const { headers } = await service.request('/v1/pets/1', { key });
    expect(headers.get('link')).toContain('</docs#getPet>');
    const page = await visit({ fragment: '#getPet' });
    await page.locator('#getPet .responses-table').waitFor();
    expect((await page.locator('#getPet').boundingBox())?.y).toBeLessThan(100);
  });

  test('cancels an order through the try-it panel with a key, and shows the 204', async () => {
    const page = await visit();
    await authorize(page);
    expect(await cancelOnPage(page, '1')).toBe('204');
    expect(await statusOf(1)).toBe('cancelled');
    expect(problems).toEqual([]);
  });

  test('sends an id beyond what a double can tell apart as it was typed', async () => {
    const page = await visit();
    await authorize(page);
    expect(await cancelOnPage(page, '9007199254740993')).toBe('404');
    expect(await page.locator('#cancelOrder .request-url').innerText()).toContain(
      `${service.origin}/v1/store/orders/9007199254740993`,
    );
  });

  test('has no try-it panel on listOrders', async () => {
    const page = await visit();
    await openAll(page);
    const buttons = (operationId: string) =>
      page.locator(`#${operationId}`).getByRole('button', { name: /try it out|execute/i });
    expect(await buttons('listOrders').count()).toBe(0);
    expect(await buttons('cancelOrder').count()).toBe(1);
    expect(await buttons('getPet').count()).toBe(1);
  });

  test('neither keeps a typed key nor lets the browser remember it', async () => {
    const page = await visit();
    await page.locator('.scheme-container .authorize').click();
    const input = page.getByLabel('auth-bearer-value');
    expect(await input.getAttribute('autocomplete')).toBe('off');
    expect(await input.getAttribute('spellcheck')).toBe('false');
    await input.fill(key);
    await page.locator('.auth-btn-wrapper .authorize').click();
    expect(await page.context().storageState({ indexedDB: true })).toEqual({ cookies: [], origins: [] });
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.reload();
    await page.locator('.scheme-container .authorize.unlocked').waitFor();
  });

  test('cannot send anything to another origin, and offers none', async () => {
    const page = await visit();
    const refused = page.evaluate(`fetch('http://127.0.0.2:9/', { method: 'POST', mode: 'no-cors' })`);
    await expect(refused).rejects.toThrow('Failed to fetch');
    expect(problems.join()).toMatch(/connect to|connect-src/);
    expect(await page.locator('.docs-servers code').first().innerText()).toBe(`${service.origin}/v1`);
    expect(await page.locator('.docs-servers select').count()).toBe(0);
  });

  test('lists the plans and the error codes of the contract', async () => {
    const page = await visit();
    const rows = async (extension: string) =>
      Promise.all(
        (await page.locator(`[data-extension="${extension}"] tbody tr`).all()).map((row) =>
          row.locator('td').allInnerTexts(),
        ),
      );
    expect(await rows('x-rate-limit-plans')).toEqual(
      Object.values(plans).map(({ name, quota }) =>
        quota
          ? [name, quota.perMinute.toLocaleString('en'), quota.perDay.toLocaleString('en')]
          : [name, 'custom', 'custom'],
      ),
    );
    expect((await rows('x-error-codes')).map(([code, status]) => [code, Number(status)])).toEqual(
      Object.entries(errorCodes),
    );
  });

  test('shows the examples of the contract, and the codes of its errors', async () => {
    const page = await visit();
    await openAll(page);
    expect(await page.locator('#listOrders .example').first().innerText()).toContain('"petId": 12');
    const cancelOrder = await page.locator('#cancelOrder').innerText();
    expect(cancelOrder).toContain('Code: order_already_shipped');
    expect(cancelOrder).toContain('Code: rate_limit_exceeded or api_key_banned');
    expect(await page.locator('#cancelOrder .docs-headers').first().innerText()).toContain('Example: 60');
  });

  test('marks experimental and beta operations', async () => {
    const contract = structuredClone(document) as {
      paths: Record<string, Record<string, Record<string, unknown>>>;
    };
    Object.assign(contract.paths['/store/orders']?.['get'] ?? {}, { 'x-stability': 'experimental' });
    Object.assign(contract.paths['/store/orders/{orderId}']?.['delete'] ?? {}, { 'x-stability': 'beta' });
    const page = await visit({ contract });
    expect(await page.locator('#listOrders .docs-badge').allInnerTexts()).toEqual(['experimental']);
    expect(await page.locator('#cancelOrder .docs-badge').allInnerTexts()).toEqual(['beta']);
    expect(await page.locator('#getPet .docs-badge-beta').count()).toBe(0);
  });

  test('fits a phone: nothing is wider than 360 pixels, and the contents open on demand', async () => {
    const page = await visit({ width: 360 });
    await openAll(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    const link = page.getByRole('navigation').getByRole('link', { name: 'Cancel an order' });
    expect(await link.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Contents' }).click();
    await link.click();
    expect(await link.isVisible()).toBe(false);
    expect((await page.locator('#cancelOrder').boundingBox())?.y).toBeLessThan(100);
  });

  const axe = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');

  test.each(['light', 'dark'] as const)(
    'can be read in %s colours, with everything opened',
    async (colorScheme) => {
      const page = await visit({ colorScheme });
      await openAll(page);
      await authorize(page);
      await page.locator('#cancelOrder').getByRole('button', { name: 'Try it out' }).click();
      await page.locator('#schemas .json-schema-2020-12-expand-deep-button').last().click();
      const isDark = colorScheme === 'dark';
      const background: unknown = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      expect(background).toBe(isDark ? 'rgb(20, 24, 27)' : 'rgb(255, 255, 255)');
      await page.evaluate(axe);
      const faults: unknown = await page.evaluate(
        `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }).then(({ violations }) =>
        violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target)))`,
      );
      expect(faults).toEqual([]);
    },
  );

  test('changes its colours with the reader, without a reload', async () => {
    const page = await visit({ colorScheme: 'light' });
    const colour = () => page.evaluate('getComputedStyle(document.querySelector(".swagger-ui")).color');
    const light = await colour();
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await colour()).not.toBe(light);
  });
});
