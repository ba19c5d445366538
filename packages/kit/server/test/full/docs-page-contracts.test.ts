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
});
