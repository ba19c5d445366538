import { describeWith } from '@contract-kit/test-support';
import type { Page } from 'playwright-core';
import { contract } from '../library/contract.ts';
import { sharedService } from '../library/service.ts';
import { describeTrying } from '../suites/try-it.ts';
import { useBrowser } from '@contract-kit/test-support/browser';
import { answer, askToCancel, cancel, faultsOf, openAll } from '../support/docs-page.ts';
import { idsIn } from '@contract-kit/test-support/contracts';

const NO_QUOTA = { perMinute: 'custom', perDay: 'custom' };
const service = sharedService();

beforeAll(() => service.addLoans([{ id: 1 }, { id: 2 }]));

describeWith(['Chromium'], 'the docs page in a browser', () => {
  const browser = useBrowser();
  const { problems } = browser;
  const visit = (look?: Parameters<typeof browser.visit>[1], fragment = '') =>
    browser.visit(`${service.origin}/docs${fragment}`, look);
  const contents = (page: Page) => page.getByRole('navigation', { name: 'Contents' });

  describeTrying(browser, service);

  test('loads four files, only from its origin, breaks no policy and logs no error', async () => {
    const page = await visit();
    const files = new Set<string>();
    page.on('request', (request) => files.add(request.url()));
    await page.reload({ waitUntil: 'networkidle' });
    await openAll(page);
    // A busy browser asks for the icon later.
    files.add(await page.evaluate<string>("document.querySelector('link[rel=icon]').href"));
    expect(problems).toEqual([]);
    expect(files.size).toBe(4);
  });

  test('starts with the purpose of the API, how to get a key, and a first request', async () => {
    const page = await visit();
    const start = page.locator('#page-start');
    expect(await start.getByRole('heading', { level: 1 }).innerText()).toBe('A kitchen-sink contract');
    expect(await start.innerText()).toContain(`This server: ${service.origin}/v1\n`);
    expect(await start.locator('pre:visible').innerText()).toContain(`curl '${service.origin}/v1/report'`);
    await start.getByLabel('TypeScript').check({ force: true });
    expect(await start.locator('pre:visible').innerText()).toContain('await library.getReport()');
    await start.getByRole('link', { name: 'key' }).click();
    expect(await page.locator('#about-authentication').innerText()).toContain('The key as a token.');
  });

  test('is readable without JavaScript, and shows nothing that needs it', async () => {
    const page = await visit({ javaScriptEnabled: false });
    await page.locator('#cancelLoan').getByLabel('Python').check({ force: true });
    expect(await page.locator('#cancelLoan pre:visible').innerText()).toContain('urlopen(request)');
    expect(await page.locator('#listLoans').innerText()).toContain('"dueDate": "2026-12-05T09:00:00Z"');
    await page.locator('#cancelLoan .response', { hasText: '409' }).locator('summary').click();
    expect(await page.locator('#cancelLoan').innerText()).toContain('"code": "loan_already_returned"');
    expect(await page.locator('.js:visible').count()).toBe(0);
  });

  test('groups the operations by their navigation groups', async () => {
    const page = await visit();
    const has = page.getByRole('link', { name: 'Library', exact: true });
    const links = await contents(page).locator('li').filter({ has }).locator('ul a').allInnerTexts();
    expect(links).toEqual(
      expect.arrayContaining(['GET Get the stock of a shelf', 'Books', 'GET Find books']),
    );
    expect(await page.locator('#group-library > #group-books > #findBooks').count()).toBe(1);
  });

  test('shows the sunset of getCatalogue at /docs#getCatalogue, and marks it in the contents', async () => {
    const page = await visit({}, '#getCatalogue');
    await contents(page).locator('[aria-current]', { hasText: 'Get the catalogue' }).waitFor();
    expect((await page.locator('#getCatalogue').boundingBox())?.y).toBeLessThan(100);
    const badges = await page.locator('#getCatalogue .badge').allInnerTexts();
    expect(badges).toEqual(['deprecated since 2026-11-01', 'sunset 2027-06-30']);
  });

  test('has samples for every operation before anything is sent, and copies the one that is shown', async () => {
    const page = await visit();
    await page.locator('#listLoans').getByLabel('Python').check({ force: true });
    for (const operationId of idsIn(contract)) {
      await page.locator(`#${operationId}`).getByRole('button', { name: 'Copy' }).click();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        await page.locator(`#${operationId} .samples pre:visible`).innerText(),
      );
    }
  });

  test('lists the plans and the error codes of the contract, and nothing meant for its authors', async () => {
    const page = await visit();
    const cells = (id: string, column: string) => page.locator(`#${id} td${column}`).allInnerTexts();
    const quotas = Object.values(contract.plans).flatMap(
      ({ name, quota: { perMinute, perDay } = NO_QUOTA }) =>
        [name, perMinute, perDay].map((item) => item.toLocaleString('en')),
    );
    expect(await cells('about-rate-limits', '')).toEqual(quotas);
    const codes = Object.entries(contract.document['x-error-codes'] as Record<string, { status: number }>);
    expect(await cells('about-errors', ':first-child')).toEqual(codes.map(([code]) => code));
    const statuses = codes.map(([, { status }]) => String(status));
    expect((await cells('about-errors', ':last-child')).map((text) => text.slice(0, 3))).toEqual(statuses);
    expect(await page.locator('body').innerText()).not.toMatch(/\bx-[a-z]|navigation group/);
  });

  test('finds any text on the page, also by keyboard', async () => {
    const page = await visit();
    await page.keyboard.press('/');
    await page.keyboard.type('loan is returned');
    const found = page.locator('#page-found');
    expect(await found.getByRole('link').allInnerTexts()).toEqual(
      expect.arrayContaining(['DELETE Cancel a loan', 'loan_already_returned']),
    );
    expect(await found.locator('small').allInnerTexts()).toEqual(
      expect.arrayContaining(['Operations', 'Error codes']),
    );
    await page.keyboard.press('ArrowDown');
    const href = await found.getByRole('link').first().getAttribute('href');
    expect(await page.evaluate('document.activeElement.hash')).toBe(href);
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe(href);
    expect(await found.isVisible()).toBe(false);
    await page.keyboard.press('Control+k');
    expect(await page.evaluate('document.activeElement.id')).toBe('page-search');
  });

  test('keeps the language of samples and the colours over a reload', async () => {
    const page = await visit();
    await page.locator('#listLoans').getByLabel('Python').check({ force: true });
    await page.getByLabel('Colours').selectOption('Dark');
    await page.reload();
    for (const id of ['listLoans', 'cancelLoan'])
      expect(await page.locator(`#${id}`).getByLabel('Python').isChecked()).toBe(true);
    expect(await page.getByLabel('Colours').inputValue()).toBe('dark');
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark');
  });

  test('shows the fields and an example of each success without a click', async () => {
    const page = await visit();
    const loans = page.locator('#listLoans');
    expect(await loans.locator('details[open]').innerText()).toContain('200');
    expect(await loans.locator('.code pre:visible').last().innerText()).toContain('"bookId": 12');
    expect(await page.locator('#cancelLoan .code').innerText()).toContain('204 Response');
  });

  test('fits a phone: nothing is wider than 320 pixels, and the contents open on demand', async () => {
    const page = await visit({ width: 320 });
    await openAll(page);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await page.keyboard.press('/');
    await page.keyboard.type('loan');
    const results = await page.locator('#page-found').boundingBox();
    expect(results?.x).toBeGreaterThanOrEqual(0);
    expect((results?.x ?? 0) + (results?.width ?? 0)).toBeLessThanOrEqual(320);
    await page.keyboard.press('Escape');
    const theme = page.getByLabel('Colours');
    // The width of the content without wrapping.
    const width = async () => (await theme.boundingBox())?.width;
    const onPhone = await width();
    await page.setViewportSize({ width: 1440, height: 720 });
    expect(onPhone).toBe(await width());
    await page.setViewportSize({ width: 320, height: 720 });
    const link = contents(page).getByRole('link', { name: 'Cancel a loan' });
    expect(await link.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Contents' }).click();
    await link.click();
    expect(await link.isVisible()).toBe(false);
    expect((await page.locator('#cancelLoan').boundingBox())?.y).toBeLessThan(100);
  });

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('axe finds nothing in %s colours, %d pixels wide', async (colorScheme, width) => {
    const page = await visit({ colorScheme, width });
    // axe takes seconds for all of them: these operations have every kind of field.
    const others =
      'article[aria-labelledby]:not(#findBooks, #createBook, #pay, #getCatalogue, #cancelLoan), #all-schemas section + section';
    await page.evaluate(`document.querySelectorAll('${others}').forEach((part) => part.remove())`);
    await cancel(page, '4712', service.suiteKey);
    await answer(page).getByText('DELETE /').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('loan');
    expect(await faultsOf(page, 'header')).toEqual([]);
    await page.keyboard.press('Escape');
    await askToCancel(page, '2', service.suiteKey);
    expect(await faultsOf(page, 'dialog')).toEqual([]);
  });
});
