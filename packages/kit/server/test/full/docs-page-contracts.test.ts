import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describeWith } from '@contract-kit/test-support';
import { useBrowser } from '@contract-kit/test-support/browser';
import { contractFrom } from '@contract-kit/test-support/contracts';
import { faultsOf, openAll, pageOf, servePages } from '../support/docs-page.ts';

const folder = path.join(import.meta.dirname, '../../../../test-support/kitchen-sink');
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

describeWith(['Chromium'], 'the docs page of every kitchen-sink contract, with all of it open', () => {
  const browser = useBrowser();
  let origin: string;
  beforeAll(async () => {
    origin = await servePages((place) => {
      const name = files.find((file) => place === `/${file}`);
      return name && pageOf(contractFrom(readFileSync(path.join(folder, name), 'utf8')));
    });
  });

  const looks = [
    { colorScheme: 'light', width: 1440 },
    { colorScheme: 'dark', width: 360 },
  ] as const;
  test.each(files.flatMap((file) => looks.map((look) => [file, look] as const)))(
    '%s with %j: axe finds nothing, and a small phone needs no scrolling to the side',
    async (file, look) => {
      const page = await browser.visit(`${origin}/${file}`, look);
      await openAll(page);
      expect(await faultsOf(page)).toEqual([]);
      await page.setViewportSize({ width: 320, height: 720 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
      expect(browser.problems).toEqual([]);
    },
  );

  test('texts without a space, as addresses and names are, need no scrolling to the side either', async () => {
    const description = `See https://${'long-'.repeat(12)}address.example/documentation`;
    const name = 'supportedRecurringProcessingModels';
    const path = {
      operationId: 'listModels',
      parameters: [{ name, in: 'query', description, schema: { type: 'string' } }],
      responses: { 204: { description: 'None.' } },
    };
    const document = {
      openapi: '3.1.0',
      info: { title: 'Models', version: '1' },
      paths: { '/models': { get: path } },
    };
    const html = pageOf(contractFrom(JSON.stringify(document)));
    const page = await browser.visit(`${await servePages(() => html)}/docs`, { width: 320 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });
});
