import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Locator, Page } from 'playwright-core';
import { openContract } from '@contract-kit/test-support/contracts';
import { contract } from '../library/contract.ts';
import type { sharedService } from '../library/service.ts';
import type { useBrowser } from '@contract-kit/test-support/browser';
import { answer, askToCancel, cancel, faultsOf, openAll, pageOf, servePages } from '../support/docs-page.ts';

/** A contract without house rules and published packages, with the features that the library's contract lacks. */
const open = openContract();

/** Fills in the fields of a form, by the names of parameters, or `body`. */
async function fill(form: Locator, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) {
    const selector = name === 'body' ? '[data-body]' : `[data-parameter*='"name":${JSON.stringify(name)}']`;
    const field = form.locator(selector).filter({ visible: true });
    const kind = await field.evaluate((element) => (element as { type?: string }).type);
    if (kind === 'select-one') await field.selectOption(value);
    else if (kind === 'fieldset')
      for (const choice of value.split(',')) await field.getByLabel(choice, { exact: true }).check();
    else if (kind === 'file') await field.setInputFiles(value);
    else await field.fill(value);
  }
}

const ANSWER = '{"id":9007199254740993}';

/** Tests the try-it panels against the real service. */
export function describeTrying(
  browser: ReturnType<typeof useBrowser>,
  service: ReturnType<typeof sharedService>,
): void {
  describe('the try-it panel', () => {
    let key: string;
    let page: Page;
    beforeAll(() => void (key = service.suiteKey));
    beforeEach(async () => {
      page = await browser.visit(`${service.origin}/docs`);
    });

    test('asks once for the key if it is required, and for the loan to cancel', async () => {
      await openAll(page);
      expect(await page.locator('#cancelLoan').getByLabel('loanId').inputValue()).toBe('');
      for (const wrong of ['', 'lib_…']) {
        await askToCancel(page, '1', wrong);
        expect(await page.evaluate('document.activeElement.dataset.key')).toBe('apiKey');
        expect(await page.getByRole('dialog').isVisible()).toBe(false);
      }
      await page.locator('#cancelLoan').getByLabel('Key').fill(key);
      await page.locator('#listLoans').getByRole('button', { name: 'Send' }).click();
      expect(await answer(page, 'listLoans').locator('pre').first().innerText()).toContain('"id": 2');
    });

    test('cancels only after confirmation, and each response replaces the last', async () => {
      await askToCancel(page, '1', key);
      expect(await page.getByRole('dialog').innerText()).toContain('DELETE /v1/loans/1');
      await page.keyboard.press('Escape');
      expect([await service.cancelled(), await answer(page).innerText()]).toEqual([[], '']);
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Send');

      await cancel(page, '1', key);
      await answer(page).getByText('DELETE /v1/loans/1').waitFor();
      expect(await answer(page).innerText()).toMatch(
        /^204 DELETE \/v1\/loans\/1 \d+ ms\s+No body\.\s+Headers$/,
      );
      expect(await service.cancelled()).toEqual([1]);
      // Not exact as a double.
      await cancel(page, '9007199254740993', key);
      await answer(page).getByText('DELETE /v1/loans/9007199254740993').waitFor();
      expect(await answer(page).innerText()).toMatch(/^404 DELETE/);
    });

    test('shows body, headers and duration of a response separately', async () => {
      await cancel(page, '4711', key);
      await answer(page).getByText('ms').waitFor();
      const [body, headers] = await answer(page).locator('pre').allInnerTexts();
      expect(JSON.parse(body ?? '')).toMatchObject({ code: 'loan_not_found' });
      expect(headers).toBe('');
      await answer(page).getByText('Headers').click();
      expect(await answer(page).locator('pre').last().innerText()).toContain('x-ratelimit-remaining: ');
    });

    test('shows typed values in the samples', async () => {
      await openAll(page);
      const sample = async (label: string) => {
        await page.locator('#cancelLoan').getByLabel(label).check({ force: true });
        return page.locator('#cancelLoan .samples pre:visible').innerText();
      };
      const [curl, client] = [await sample('curl'), await sample('TypeScript')];
      expect(client).toContain('cancelLoan({ loanId: 1 })');
      await page.locator('#cancelLoan').getByLabel('loanId').fill('42');
      expect(await sample('curl')).toBe(curl.replace('/loans/1', '/loans/42'));
      expect(await sample('TypeScript')).toBe(client.replace('loanId: 1', 'loanId: 42'));
      await page.locator('#cancelLoan').getByLabel('loanId').fill('9007199254740993');
      expect(await sample('TypeScript')).toBe(client.replace('loanId: 1', "loanId: '9007199254740993'"));
      await page.locator('#cancelLoan').getByLabel('loanId').fill('');
      expect(await sample('TypeScript')).toBe(client);
    });

    test('accepts only digits for an integer, and shows an example', async () => {
      const field = page.locator('#cancelLoan').getByLabel('loanId');
      expect(await field.getAttribute('placeholder')).toBe('1');
      expect(await field.getAttribute('inputmode')).toBe('numeric');
      for (const id of ['one', '1.5', '.', '..']) {
        await askToCancel(page, id, key);
        expect(await page.getByRole('dialog').isVisible()).toBe(false);
        expect(await page.locator('#cancelLoan input:invalid').inputValue()).toBe(id);
      }
    });

    test('shows what the service says of a parameter and of a body beside them', async () => {
      await openAll(page);
      await page.locator('[data-key="apiKey"]').first().fill(key);
      const books = page.locator('#findBooks');
      await books.getByLabel('X-Tenant').fill('mine');
      await books.getByRole('button', { name: 'Send' }).click();
      await books.locator('.fault').waitFor();
      expect(await books.locator('.fault').innerText()).toBe('X-Tenant must match format "uuid".');
      expect(await page.evaluate('document.activeElement.value')).toBe('mine');
      const create = page.locator('#replaceBook');
      await create.getByLabel('bookId').fill('7');
      await create.locator('[data-body]').fill('{"name": 1}');
      await create.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Send the request' }).click();
      await create.locator('.fault').waitFor();
      expect(await create.locator('.fault').innerText()).toContain('body');
      expect(await page.evaluate('document.activeElement.value')).toBe('{"name": 1}');
    });

    test('neither stores a typed key nor lets the browser store it', async () => {
      const input = page.locator('#cancelLoan').getByLabel('Key');
      await openAll(page);
      expect(await input.getAttribute('autocomplete')).toBe('off');
      await input.fill(key);
      expect(await page.context().storageState({ indexedDB: true })).toEqual({ cookies: [], origins: [] });
      await page.reload();
      expect(await input.inputValue()).toBe('');
    });
  });

  /* The kitchen-sink contract, against a server that only records requests. */
  describe('for the kitchen-sink contract,', () => {
    const pages: Readonly<Record<string, string>> = {
      '/docs': pageOf(contract),
      '/open': pageOf(open),
    };
    const sent: { request: IncomingMessage; body: string }[] = [];
    let origin: string;
    let respond: (response: ServerResponse) => unknown;
    async function note(request: IncomingMessage): Promise<void> {
      sent.push({ request, body: await text(request) });
    }
    let page: Page;

    beforeAll(async () => {
      origin = await servePages(
        (place) => pages[place],
        (request, response) =>
          void note(request).then(() => respond(response.setHeader('Content-Type', 'application/json'))),
      );
    });

    beforeEach(async () => {
      sent.length = 0;
      respond = (response) => response.end(ANSWER);
      page = await browser.visit(`${origin}/docs`);
      await openAll(page);
    });

    /** Fills in the panel of an operation and sends it. Resolves to the request. */
    async function send(id: string, fields: Record<string, string>): Promise<(typeof sent)[number]> {
      const form = page.locator(`#${id} form`);
      await fill(form, fields);
      await form.getByRole('button', { name: 'Send' }).click();
      const confirm = page.getByRole('dialog').getByRole('button', { name: 'Send the request' });
      if (await confirm.isVisible()) await confirm.click();
      await answer(page, id).getByText('Headers').waitFor();
      const [only, ...more] = sent;
      expect(more).toEqual([]);
      if (!only) throw new Error('nothing was sent');
      return only;
    }

    test('accepts only digits for an integer whose schema has a name', async () => {
      const bookId = page.locator('#replaceBook').getByLabel('bookId');
      expect([await bookId.getAttribute('inputmode'), await bookId.getAttribute('placeholder')]).toEqual([
        'numeric',
        '7',
      ]);
    });

    test('sends headers and query parameters, with lists and escapes', async () => {
      await page.locator('#findBooks [data-key="apiKey"]').fill('secret');
      const { request } = await send('findBooks', {
        kind: 'poem',
        name: 'a&b',
        tag: 'x, y',
        color: 'black,white',
        'X-Depth': '3',
      });
      expect(request.url).toBe('/v1/books?kind=poem&name=a%26b&tag=x&tag=y&color=black,white');
      expect(request.headers).toMatchObject({ authorization: 'Bearer secret', 'x-depth': '3' });
    });

    test('sends a body exactly as typed', async () => {
      await page.locator('#replaceBook [data-key="apiKey"]').fill('secret');
      const { request, body } = await send('replaceBook', { bookId: '7', body: '{"id": 9007199254740993}' });
      expect([request.method, request.url, body]).toEqual(['PUT', '/v1/books/7', '{"id": 9007199254740993}']);
      expect(request.headers['content-type']).toBe('application/json');
    });

    describe('and for a contract without house rules,', () => {
      beforeEach(async () => {
        page = await browser.visit(`${origin}/open`);
        await openAll(page);
      });

      test.each([
        ['light', 1280],
        ['dark', 390],
      ] as const)('axe finds nothing in %s colours, %d pixels wide', async (colorScheme, width) => {
        page = await browser.visit(`${origin}/open`, { colorScheme, width });
        await openAll(page);
        expect(await faultsOf(page)).toEqual([]);
      });

      test('sends parameters of every style', async () => {
        await page.locator('#listShelves [data-key]').first().fill('secret');
        const { request } = await send('listShelves', {
          filter: '{"size": 3, "tag": ["a", "b"]}',
          piped: '1, 2',
          'tags[]': 'c,d',
          json: '{"a": 9007199254740993}',
          box: '{"width": 1.5}',
          'X-Ids': '1,2',
        });
        expect(new URL(`${origin}${request.url}`).pathname).toBe('/api/shelves/');
        expect(
          decodeURIComponent(request.url ?? '')
            .split(/[?&]/)
            .slice(1),
        ).toEqual([
          'filter[size]=3',
          'filter[tag][]=a',
          'filter[tag][]=b',
          'piped=1|2',
          'tags[]=c',
          'tags[]=d',
          'json={"a":9007199254740993}',
          'width=1.5',
        ]);
        expect(request.headers).toMatchObject({ 'x-ids': '1,2', authorization: 'Bearer secret' });
      });

      test('sends a key in the query, and shows it nowhere', async () => {
        await page.locator('[data-key="queryKey"]').first().fill('secret');
        const { request } = await send('getShelvesByIdsByNameJson', { ids: '1,2', name: 'a b' });
        expect(request.url).toBe('/api/shelves/1,2/a%20b.json?api_key=secret');
        expect(await page.locator('body').innerText()).not.toContain('secret');
      });

      test('sends a file in a form, and names it in the samples', async () => {
        await page.locator('#postForms [data-key]').first().fill('secret');
        const { request, body } = await send('postForms', { file: __filename, count: '3' });
        expect(request.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
        expect(body).toContain('filename="try-it.ts"');
        expect(body).toMatch(/name="count"\r\n\r\n3\r\n/);
        const sample = await page.locator('#postForms .samples pre:visible').innerText();
        expect(sample).toContain("--form 'file=@try-it.ts;type=image/png'");
        await page.locator('#postForms').getByLabel('TypeScript').check({ force: true });
        expect(await page.locator('#postForms .samples pre:visible').innerText()).toContain(
          "form.append('file', await openAsBlob('try-it.ts', { type: 'image/png' }), 'try-it.ts');",
        );
      });

      test('does not send a value that would arrive as another one', async () => {
        await page.locator('#listShelves [data-key]').first().fill('secret');
        await fill(page.locator('#listShelves form'), { spaced: 'a, b c' });
        await page.locator('#listShelves').getByRole('button', { name: 'Send' }).click();
        expect(await page.locator('#listShelves .fault').innerText()).toBe(
          'Not sent: spaced cannot be sent exactly',
        );
        expect(sent).toEqual([]);
      });

      test('does not send invalid JSON', async () => {
        await page.locator('#listShelves [data-key]').first().fill('secret');
        await fill(page.locator('#listShelves form'), { filter: '{' });
        await page.locator('#listShelves').getByRole('button', { name: 'Send' }).click();
        expect(await page.locator('#listShelves .fault').innerText()).toBe(
          'This is not valid JSON: see line 1, column 2.',
        );
        expect(sent).toEqual([]);
      });
    });

    test.each([
      ['with exact numbers', ANSWER, '"id": 9007199254740993'],
      ['that is not valid JSON as text', '{"id":', '{"id":\n'],
    ])('shows a response %s', async (_what, body, shown) => {
      respond = (response) => response.end(body);
      await send('getStatus', {});
      expect(await answer(page, 'getStatus').innerText()).toContain(shown);
    });

    test.each([
      [
        'sends the first alternative whose keys are filled in',
        'pay',
        ['operator'],
        `Basic ${btoa(':one')}`,
        undefined,
      ],
      ['sends every key of an alternative', 'replaceSettings', ['apiKey', 'partner'], 'Bearer one', 'one'],
      ['sends no key if none is needed', 'getStatus', ['apiKey'], undefined, undefined],
    ])('%s', async (_what, id, schemes, authorization, partner) => {
      for (const scheme of schemes) await page.locator(`[data-key="${scheme}"]`).first().fill('one');
      const { headers } = (await send(id, {})).request;
      expect([headers.authorization, headers['x-partner-key']]).toEqual([authorization, partner]);
    });
  });
}
