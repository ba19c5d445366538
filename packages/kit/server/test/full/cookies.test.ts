import { describeWith } from '@contract-kit/test-support';
import { useBrowser } from '@contract-kit/test-support/browser';
import { listen, shared } from '@contract-kit/test-support/testing';
import { buildSync } from 'esbuild';
import type { Page } from 'playwright-core';
import { clientOperationsOf, fetchKeyOf } from '@contract-kit/client/operations';
import { readModel } from '@contract-kit/core/model';
import { answer, faultsOf, openAll } from '../support/docs-page.ts';
import { called, definition } from '../support/notes.ts';
import { createTestTools } from '../support/tools.ts';

/* Keys in cookies, in a browser: the docs page, and pages at another port of the same host, which is the same site. */

const { startTestService } = createTestTools(definition);
const sid = (value: string, httpOnly = true) => ({ name: 'sid', value, httpOnly });
const cookiesOf = async (page: Page) =>
  (await page.context().cookies()).map(({ name, value, httpOnly }) => ({ name, value, httpOnly }));

describeWith(['Chromium'], 'a key in a cookie, in a browser', () => {
  const browser = useBrowser();
  beforeEach(() => void (called.length = 0));

  describe('on the docs page', () => {
    const service = shared(() => startTestService());
    let page: Page;
    beforeEach(async () => {
      page = await browser.visit(`${service.origin}/docs`);
      await openAll(page);
    });
    /** The response as the page shows it. */
    async function send(id: string, key = ''): Promise<string> {
      const field = page.locator(`#${id}`).getByLabel('Key');
      if ((await field.count()) > 0) await field.fill(key);
      await page.locator(`#${id}`).getByRole('button', { name: 'Send' }).focus();
      await page.keyboard.press('Enter');
      const confirm = page.getByRole('dialog').getByRole('button', { name: 'Send the request' });
      if (await confirm.isVisible()) await confirm.click();
      await answer(page, id)
        .getByText(/Headers|There is no/)
        .waitFor();
      return answer(page, id).innerText();
    }

    test('a typed key is sent, and the browser does not keep it', async () => {
      expect(await send('getMe', await service.key())).toMatch(/^200 GET/);
      expect(await send('postNote', 's:ada')).toMatch(/^200 POST/);
      // Only with `Secure`, which this browser takes on this host without TLS.
      expect(await send('getHost', 's:ada')).toMatch(/^200 GET/);
      expect(await cookiesOf(page)).toEqual([]);
      expect(await faultsOf(page, '#getMe')).toEqual([]);
    });

    test('an empty field sends the cookie of the browser, which a login has set', async () => {
      expect(await send('getMe')).toMatch(/^401 GET/);
      expect(await send('login')).toMatch(/^204 POST/);
      expect(await cookiesOf(page)).toEqual([sid('s%3Aada')]);
      expect(await send('getMe')).toMatch(/^200 GET/);
      expect(await send('postNote')).toMatch(/^200 POST/);
      expect(called).toEqual(['ada', 'ada']);
    });

    test('a typed key goes before a cookie of the browser, or the page says why it cannot', async () => {
      const key = await service.key();
      await page.evaluate("document.cookie = 'sid=old; path=/'");
      expect(await send('getMe', key)).toMatch(/^200 GET/);
      expect(await cookiesOf(page)).toEqual([sid('old', false)]);
      await page.context().clearCookies();
      await send('login');
      expect(await send('getMe', key)).toContain('lets no page set the cookie sid. Log out');
      expect(await cookiesOf(page)).toEqual([sid('s%3Aada')]);
    });
  });

  describe('on a page of another origin', () => {
    let origin: string;
    let page: Page;
    beforeAll(async () => {
      origin = await listen((_request, response) => response.setHeader('Content-Type', 'text/html').end());
    });
    const unlisted = shared(() => startTestService());
    const listed = shared(() => startTestService({ env: { CORS_ORIGINS: origin } }));
    beforeEach(async () => {
      page = await browser.visit(origin);
      await page.context().addCookies([{ ...sid('s%3Aada'), url: origin, sameSite: 'Lax' }]);
    });
    const statusIn = (address: string, init: object) =>
      page.evaluate(`fetch('${address}', ${JSON.stringify({ credentials: 'include', ...init })})
        .then(({ status }) => status, ({ name }) => name)`);
    /** What the service responded to the next request. */
    const received = async (sending: Promise<unknown>) => {
      const response = await page.waitForResponse(() => true);
      await sending;
      return response.status();
    };

    test('what is not listed changes nothing, and reads nothing', async () => {
      const post = { method: 'POST', mode: 'no-cors' };
      expect(await received(statusIn(`${unlisted.origin}/v1/notes`, post))).toBe(403);
      expect(await received(statusIn(`${unlisted.origin}/v1/login`, post))).toBe(403);
      expect(called).toEqual([]);
      expect(await statusIn(`${unlisted.origin}/v1/me`, {})).toBe('TypeError');
      expect(called.splice(0)).toEqual(['ada']);
      const form = `<form method=post action='${unlisted.origin}/v1/notes'></form>`;
      await page.setContent(form);
      expect(await received(page.evaluate("document.querySelector('form').submit()"))).toBe(403);
      expect(called).toEqual([]);
    });

    test('what is listed sends its cookie, and keeps that of a login', async () => {
      expect(await statusIn(`${listed.origin}/v1/notes`, { method: 'POST' })).toBe(200);
      expect(await statusIn(`${listed.origin}/v1/notes`, { method: 'DELETE' })).toBe(200);
      expect(await statusIn(`${listed.origin}/v1/me`, {})).toBe(200);
      expect(called).toEqual(['ada', 'ada', 'ada']);
      await page.context().clearCookies();
      expect(await statusIn(`${listed.origin}/v1/login`, { method: 'POST' })).toBe(204);
      expect(await cookiesOf(page)).toEqual([sid('s%3Aada')]);
    });

    test('a client sends the cookie of the browser, and writes none', async () => {
      const model = readModel(definition.contract.document);
      const contract = {
        ...{ name: 'notes', version: '1.0.0', basePath: '/v1', headerTypes: {}, servers: {} },
        ...{ operations: clientOperationsOf(model), fetchKey: fetchKeyOf(model) },
      };
      const program = `import { createClient, writeKeys } from '@contract-kit/client';
        export async function run(baseUrl, apiKey) {
          const sent = [];
          const noting = (url, init) => (sent.push([init.credentials, 'cookie' in init.headers]), fetch(url, init));
          const contract = { ...${JSON.stringify(contract)}, writeKeys };
          const notes = createClient(contract, { baseUrl, apiKey, fetch: noting });
          await notes.login();
          await notes.getMe();
          await notes.postNote();
          return sent;
        }`;
      const { outputFiles } = buildSync({
        ...{ stdin: { contents: program, resolveDir: import.meta.dirname }, globalName: 'app' },
        ...{ bundle: true, format: 'iife', write: false },
      });
      await page.context().clearCookies();
      await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
      const sent = Array.from({ length: 3 }, () => ['include', false]);
      expect(await page.evaluate(`app.run('${listed.origin}/v1')`)).toEqual(sent);
      expect(await page.evaluate(`app.run('${listed.origin}/v1', 'eve')`)).toEqual(sent);
      expect(called).toEqual(['ada', 'ada', 'ada', 'ada']);
    });
  });
});
