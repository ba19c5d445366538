import { describeWith } from '@contract-kit/test-support';
import { useBrowser } from '@contract-kit/test-support/browser';
import { contract } from '../library/contract.ts';
import { pageOf, servePages } from '../support/docs-page.ts';

describeWith(['Chromium'], 'the printed docs page', () => {
  const browser = useBrowser();
  let origin: string;
  beforeAll(async () => {
    const html = pageOf(contract);
    origin = await servePages((place) => (place === '/docs' ? html : undefined));
  });

  test.each([true, false])(
    'has all responses and no controls, with scripts: %s',
    async (javaScriptEnabled) => {
      const page = await browser.visit(`${origin}/docs`, { javaScriptEnabled, colorScheme: 'dark' });
      const visible = (selector: string) => page.locator(selector).filter({ visible: true }).count();
      if (javaScriptEnabled) await page.getByLabel('Colours').selectOption('Dark');
      expect(await page.locator('.response:not([open])').count()).toBeGreaterThan(0);
      await page.emulateMedia({ media: 'print' });
      for (const gone of ['header', 'nav', '.js', 'form', 'button', '.skip'])
        expect(await visible(gone)).toBe(0);
      const closed = page.locator('#cancelLoan .response:not([open])').first();
      expect((await closed.boundingBox())?.height).toBeGreaterThan(100);
      expect(await page.locator('html').evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
        'rgb(255, 255, 255)',
      );
      // The language that the reader chose.
      expect(await visible('#cancelLoan .samples pre')).toBe(1);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1440);
    },
  );

  test('is the page that a PDF has', async () => {
    const page = await browser.visit(`${origin}/docs`);
    expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(50_000);
  });
});
