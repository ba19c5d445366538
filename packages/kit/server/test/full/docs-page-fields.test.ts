import { text } from 'node:stream/consumers';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Locator, Page } from 'playwright-core';
import { describeWith } from '@contract-kit/test-support';
import { useBrowser } from '@contract-kit/test-support/browser';
import { contractFrom } from '@contract-kit/test-support/contracts';
import { answer, faultsOf, openAll, pageOf, servePages } from '../support/docs-page.ts';

const TEXT = `
openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
servers: [{ url: 'https://api.example/v1' }]
paths:
  /notes:
    get:
      operationId: findNotes
      parameters:
        - { name: limit, in: query, required: true, example: 10, schema: { type: integer, minimum: 1, maximum: 100 } }
        - { name: after, in: query, schema: { type: integer, format: int64 } }
        - { name: kind, in: query, schema: { anyOf: [{ type: string, enum: [memo, list] }, { type: 'null' }] } }
        - { name: sort, in: query, explode: false, schema: { type: array, items: { type: string, enum: [name, -name, date] } } }
        - { name: pinned, in: query, schema: { type: boolean } }
        - { name: day, in: query, schema: { type: string, format: date } }
        - { name: since, in: query, example: '2026-12-05T09:00:00Z', schema: { type: string, format: date-time } }
        - { name: mail, in: query, schema: { type: string, format: email } }
        - { name: code, in: query, schema: { type: string, pattern: '[A-Z]{2}', maxLength: 4 } }
        - { name: odd, in: query, schema: { type: string, pattern: '^[a&&b]$' } }
        - { name: pin, in: query, schema: { type: string, format: password } }
        - { name: version, in: query, required: true, schema: { const: v2 } }
        - { name: filter, in: query, content: { application/json: { schema: { type: object } } } }
      responses: { default: { description: Notes. } }
    post:
      operationId: addNote
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [title]
              properties:
                title: { type: string }
                secret: { type: string, format: password }
                lines: { type: array, items: { type: string } }
            examples:
              short: { summary: A short one, value: { title: Short, secret: hush } }
              long: { value: { title: Long, lines: [one] } }
          multipart/form-data:
            schema:
              type: object
              required: [title]
              properties:
                title: { type: string, maxLength: 20 }
                text: { type: string }
                secret: { type: string, writeOnly: true }
      responses: { default: { description: The note. } }
  /hidden:
    get: { operationId: hidden, x-hideTryItPanel: true, responses: { default: { description: Fine. } } }
`;

describeWith(['Chromium'], 'a try-it panel', () => {
  const browser = useBrowser();
  const sent: { readonly request: IncomingMessage; readonly body: string }[] = [];
  let respond: (response: ServerResponse) => unknown;
  let origin: string;
  let page: Page;
  const find = () => page.locator('#findNotes');
  const add = () => page.locator('#addNote');

  beforeAll(async () => {
    const html = pageOf(contractFrom(TEXT));
    origin = await servePages(
      (place) => (place === '/docs' ? html : undefined),
      (request, response) =>
        void text(request).then((body) => {
          sent.push({ request, body });
          respond(response);
        }),
    );
  });

  beforeEach(async () => {
    sent.length = 0;
    respond = (response) => response.end();
    page = await browser.visit(`${origin}/docs`);
    await openAll(page);
  });

  const rejectWith = (body: unknown, type = 'application/json', status = 400) => {
    respond = (response) =>
      response
        .writeHead(status, { 'Content-Type': type })
        .end(typeof body === 'string' ? body : JSON.stringify(body));
  };

  async function send(operation: Locator): Promise<(typeof sent)[number] | undefined> {
    await operation.getByRole('button', { name: 'Send' }).click();
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Send the request' });
    if (await confirm.isVisible()) await confirm.click();
    await operation.getByText('Headers', { exact: true }).waitFor();
    return sent.at(-1);
  }

  const focused = () =>
    page.evaluate<string>(
      "JSON.parse(document.activeElement.closest('[data-parameter]')?.dataset.parameter ?? '{}').name ?? document.activeElement.tagName",
    );
  const kindOf = (name: string) => find().getByLabel(name, { exact: true }).getAttribute('type');

  test('has a fitting field for each parameter, and sends what is entered', async () => {
    const optional = (name: string) => find().getByLabel(`${name} (optional)`, { exact: true });
    expect(await kindOf('limit')).toBe('number');
    expect(await kindOf('day (optional)')).toBe('date');
    expect(await kindOf('pin (optional)')).toBe('password');
    const choice = (name: string) => find().getByRole('combobox', { name });
    expect(await choice('kind').locator('option').allInnerTexts()).toEqual(['', 'memo', 'list']);
    expect(await choice('pinned').locator('option').allInnerTexts()).toEqual(['', 'true', 'false']);
    expect(await choice('version').inputValue()).toBe('v2');
    await optional('after').fill('9007199254740993');
    await choice('kind').selectOption('list');
    await optional('day').fill('2026-11-29');
    await optional('since').fill('2026-12-05T09:00:00.123+02:00');
    await optional('mail').fill('"two words"@example.com');
    const request = await send(find());
    expect(Object.fromEntries(new URL(`${origin}${request?.request.url}`).searchParams)).toEqual({
      ...{ limit: '10', after: '9007199254740993', kind: 'list', day: '2026-11-29', version: 'v2' },
      ...{ since: '2026-12-05T09:00:00.123+02:00', mail: '"two words"@example.com' },
    });
  });

  test('sends the items of a list in the order in which they were chosen', async () => {
    for (const choice of ['date', 'name']) await find().getByLabel(choice, { exact: true }).check();
    expect((await send(find()))?.request.url).toContain('sort=date,name');
  });

  test.each([
    // A pattern of JSON Schema matches anywhere, and characters are not UTF-16 units.
    ['code', 'x😀AB', true],
    ['code', 'x😀xAB', false],
    ['code', 'ab', false],
    // Browsers would read && as an intersection.
    ['odd', '&', true],
    ['since', '2026-12-05T09:00:00', false],
    ['since', '2026-12-05t09:00:00z', true],
  ])('takes for %s the value %j: %s', async (name, value, isValid) => {
    const field = find().getByLabel(`${name} (optional)`, { exact: true });
    await field.fill(value);
    expect(await find().locator('input:invalid').count()).toBe(isValid ? 0 : 1);
  });

  test.each([
    [
      'the kit',
      { code: 'invalid_request', message: 'limit must be <= 5.', status: 400 },
      'limit must be <= 5.',
    ],
    ['FastAPI', { detail: [{ loc: ['query', 'limit'], msg: 'Too large', input: '10' }] }, 'Too large'],
    ['JSON:API', { errors: [{ source: { parameter: 'limit' }, detail: 'Too large' }] }, 'Too large'],
    ['Laravel', { message: 'Invalid.', errors: { limit: ['Too large'] } }, 'Too large'],
  ])('shows a rejection of %s beside its field until the reader changes it', async (_what, body, message) => {
    rejectWith(body);
    await send(find());
    const limit = find().getByLabel('limit');
    expect(await focused()).toBe('limit');
    expect(await limit.getAttribute('aria-invalid')).toBe('true');
    const described = await limit.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${described}"]`).innerText()).toBe(message);
    expect(await answer(page, 'findNotes').innerText()).toContain('400 GET /v1/notes');
    expect(await faultsOf(page, '#findNotes')).toEqual([]);
    await limit.fill('4');
    expect(await find().locator('.fault, [aria-invalid], [aria-describedby]').count()).toBe(0);
  });

  test('goes to the first of several fields', async () => {
    rejectWith({ errors: { sort: ['No such column'], kind: ['Unknown'] } });
    await send(find());
    expect(await find().locator('.fault').allInnerTexts()).toEqual(['Unknown', 'No such column']);
    expect(await focused()).toBe('kind');
    expect(await faultsOf(page, '#findNotes')).toEqual([]);
  });

  test('shows a rejection that names no field as before', async () => {
    rejectWith('Nothing works today.', 'text/plain');
    await send(find());
    expect(await find().locator('.fault').count()).toBe(0);
    expect(await answer(page, 'findNotes').innerText()).toContain('Nothing works today.');
  });

  test('shows a rejection of a part of the body beside the body, with its place', async () => {
    rejectWith(
      { title: 'Bad', errors: [{ pointer: '#/lines/0', detail: 'is empty' }] },
      'application/problem+json',
      422,
    );
    await send(add());
    expect(await add().locator('.fault').innerText()).toBe('/lines/0: is empty');
    expect(await focused()).toBe('TEXTAREA');
  });

  test('does not send broken JSON, and goes to the mistake', async () => {
    await add().locator('[data-body]:visible').fill('{\n  "title": "x",\n  "lines": [1,,2]\n}');
    await add().getByRole('button', { name: 'Send' }).click();
    expect(await add().locator('.fault').innerText()).toBe('This is not valid JSON: see line 3, column 15.');
    expect(await page.getByRole('dialog').isVisible()).toBe(false);
    expect(await page.evaluate('document.activeElement.selectionStart')).toBe(32);
    expect(sent).toEqual([]);
  });

  test('offers the examples and media types of a body', async () => {
    await add().getByLabel('Example').selectOption('long');
    expect(JSON.parse(await add().locator('[data-body]:visible').inputValue())).toEqual({
      title: 'Long',
      lines: ['one'],
    });
    expect(await add().locator('.samples pre:visible').innerText()).toContain('"title":"Long"');
    await add().getByLabel('Media type').selectOption('multipart/form-data');
    await add().getByLabel('title', { exact: true }).fill('Second');
    await add().getByLabel('text (optional)').fill('two\nlines');
    expect(await add().locator('.samples pre:visible').innerText()).toContain("'title=Second'");
    const { request, body } = (await send(add())) ?? {};
    expect(request?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(body).toContain('name="text"\r\n\r\ntwo\r\nlines\r\n');
    expect(body).not.toContain('lines"');
  });

  test('hides secrets in its fields, the request that it shows and the samples', async () => {
    await find().getByLabel('pin (optional)').fill('4711');
    expect((await send(find()))?.request.url).toContain('pin=4711');
    await add().locator('[data-body]:visible').fill('{"title":"x","secret":"4711"}');
    expect(await add().locator('.samples pre:visible').innerText()).toContain('"secret":"hush"');
    await add().getByLabel('Media type').selectOption('multipart/form-data');
    const secret = add().getByLabel('secret (optional)', { exact: true });
    expect(await secret.getAttribute('type')).toBe('password');
    await secret.fill('4711');
    expect(await page.locator('body').innerText()).not.toContain('4711');
  });

  test.each([
    [
      'the name that the response gives',
      { 'Content-Disposition': `attachment; filename="x"; filename*=UTF-8''bl%C3%BCte.png` },
      'blüte.png',
    ],
    ['the name of the operation', {}, 'findNotes.png'],
  ])('saves a file under %s', async (_what, headers, name) => {
    respond = (response) => response.writeHead(200, { 'Content-Type': 'image/png', ...headers }).end('bytes');
    await send(find());
    const download = page.waitForEvent('download');
    await find()
      .getByRole('link', { name: `Save ${name} (5 bytes)` })
      .click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe(name);
    expect(await text(await saved.createReadStream())).toBe('bytes');
    expect(browser.problems).toEqual([]);
  });

  test('shows the beginning of a long text, and saves all of it', async () => {
    respond = (response) =>
      response.writeHead(200, { 'Content-Type': 'text/csv' }).end('x,y\n'.repeat(50_000));
    await send(find());
    expect((await answer(page, 'findNotes').locator('pre').first().innerText()).length).toBeLessThan(100_001);
    expect(await find().getByRole('link', { name: 'Save findNotes.csv (200,000 bytes)' }).count()).toBe(1);
  });

  test('is absent with x-hideTryItPanel', async () => {
    expect(await page.locator('#hidden form').count()).toBe(0);
  });
});
