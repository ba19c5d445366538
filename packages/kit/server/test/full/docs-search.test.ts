import { describeWith } from '@contract-kit/test-support';
import { useBrowser } from '@contract-kit/test-support/browser';
import { contractFrom } from '@contract-kit/test-support/contracts';
import { newFolder } from '@contract-kit/test-support/testing';
import type { Page } from 'playwright-core';
import { startForCheck } from '../../src/checking.ts';
import { manyOperations } from '../library/many-operations.ts';
import { sharedService } from '../library/service.ts';
import { faultsOf } from '../support/docs-page.ts';

const INDEX = '/docs/search.json';

describeWith(['Chromium'], 'the search of the docs page', () => {
  const browser = useBrowser();
  const found = (page: Page) => page.locator('#page-found');
  const status = (page: Page) => page.locator('#page-hits');

  async function searchFor(page: Page, query: string): Promise<void> {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(query);
  }

  describe('of one page', () => {
    const service = sharedService();

    test('loads its index when it is used, once', async () => {
      const asked: string[] = [];
      const page = await browser.visit(`${service.origin}/docs`);
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.reload({ waitUntil: 'networkidle' });
      expect(asked).not.toContain(INDEX);
      await searchFor(page, 'bookid');
      await found(page).getByRole('link', { name: 'bookId in createLoan' }).waitFor();
      await page.keyboard.press('Escape');
      await searchFor(page, 'loan');
      expect(asked.filter((path) => path === INDEX)).toHaveLength(1);
      expect(browser.problems).toEqual([]);
    });

    test('says how much it finds, and what it is', async () => {
      const page = await browser.visit(`${service.origin}/docs`);
      await searchFor(page, 'DELETE /loans/{id}');
      await found(page).getByRole('link').first().waitFor();
      expect(await found(page).getByRole('link').first().innerText()).toBe('DELETE Cancel a loan');
      await page.waitForFunction(
        "/^\\d+ results?\\. $/.test(document.getElementById('page-hits').textContent)",
      );
      await searchFor(page, 'no such thing');
      expect(await status(page).innerText()).toBe('0 results.');
      expect(await found(page).innerText()).toBe('Nothing found.');
    });

    test('finds what the page has without the index, and says that it does not load', async () => {
      const page = await browser.visit(`${service.origin}/docs`);
      await page.route(`**${INDEX}`, (route) => route.abort());
      await searchFor(page, 'cancel a loan');
      await found(page).getByText('Only this page is searched').waitFor();
      expect(await found(page).getByRole('link').first().innerText()).toBe('DELETE Cancel a loan');
      expect(await status(page).innerText()).toContain('Only this page is searched');
    });
  });

  describe('of many pages', () => {
    const large = contractFrom(JSON.stringify(manyOperations()));
    let service: Awaited<ReturnType<typeof startForCheck>>;
    beforeAll(async () => {
      service = await startForCheck(large, {
        dataDir: newFolder(),
        handlerOf: () => () => Promise.reject(new Error('Not here.')),
      });
    });
    afterAll(() => service.stop());

    test.each([
      ['cancelLoan7', '/docs/copy-7'],
      ['schema-Loan', '/docs/schemas'],
    ])('a link to /docs#%s leads to its page', async (id, place) => {
      const page = await browser.visit(`${service.origin}/docs#${id}`);
      await page.waitForURL(`${service.origin}${place}#${id}`);
      expect(await page.locator(`#${id}`).isVisible()).toBe(true);
      expect(await faultsOf(page)).toEqual([]);
    });

    test('finds operations, fields and schemas of other pages', async () => {
      const page = await browser.visit(`${service.origin}/docs`);
      for (const [query, name, place] of [
        ['loan 33', 'DELETE Cancel a loan 33', '/docs/copy-33#cancelLoan33'],
        ['bookid loan 21', 'bookId in createLoan21', '/docs/copy-21#createLoan21'],
        ['loan', 'Loan', '/docs/schemas#schema-Loan'],
      ] as const) {
        await searchFor(page, query);
        await found(page).getByRole('link', { name, exact: true }).click();
        await page.waitForURL(service.origin + place);
      }
      expect(browser.problems).toEqual([]);
    });

    test('every operation is reached without JavaScript', async () => {
      const page = await browser.visit(`${service.origin}/docs`, { javaScriptEnabled: false });
      await page.getByRole('navigation').getByRole('link', { name: 'Copy 12' }).click();
      await page.getByRole('navigation').getByRole('link', { name: 'Cancel a loan 12' }).click();
      expect(new URL(page.url()).hash).toBe('#cancelLoan12');
      expect(await page.locator('#cancelLoan12').isVisible()).toBe(true);
    });
  });
});
