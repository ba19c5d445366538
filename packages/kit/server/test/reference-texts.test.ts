import { contractFrom } from '@contract-kit/test-support/contracts';
import { readModel } from '@contract-kit/core/model';
import { renderPage } from '../src/docs/html/page.ts';
import { markdown } from '../src/docs/html/text.ts';
import { renderMarkdown } from '../src/docs/markdown/page.ts';
import { referenceOf } from '../src/docs/reference.ts';
import { servedAt } from '../src/docs/served.ts';

/* Texts as authors write them: without a full stop, with HTML, in long names. */

const parameter = (name: string, description: string, schema: object) => ({
  ...{ name, in: 'query', description },
  schema: { type: 'string', ...schema },
});

function servedWith(parameters: readonly object[]) {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Parcels', version: '1.0.0' },
    paths: { '/parcels': { get: { operationId: 'listParcels', parameters, responses: { 204: {} } } } },
  };
  const contract = contractFrom(JSON.stringify(document));
  return servedAt({ contract, model: readModel(contract.document) }, { url: 'https://api.example' });
}

test.each([
  ['The page to return', 'The page to return. At least `2` characters.'],
  ['The page (of all)', 'The page (of all). At least `2` characters.'],
  ['The page!', 'The page! At least `2` characters.'],
  ['It is called "Page."', 'It is called "Page." At least `2` characters.'],
  ['One of:', 'One of: At least `2` characters.'],
])('%j ends before what the contract says next', (description, expected) => {
  const served = servedWith([parameter('page', description, { minLength: 2 })]);
  expect(renderMarkdown(served)).toContain(`string in query. ${expected} |`);
});

test('a description alone stays as it is', () => {
  expect(renderMarkdown(servedWith([parameter('page', 'The page', {})]))).toContain(
    'string in query. The page |',
  );
});

test.each([
  ['a<br/>b', '<p>a<br>b</p>'],
  [
    'See <a href="https://x.example/?a=1&amp;b=2" target="_blank">the <b>docs</b></a>.',
    '<p>See <a href="https://x.example/?a=1&amp;b=2">the <b>docs</b></a>.</p>',
  ],
  ['<p>One <i class="x">word</i></p><ul><li>Two</li></ul>', '<p>One <i>word</i></p>\n<ul><li>Two</li></ul>'],
  ['`<b>code</b>`', '<p><code>&lt;b>code&lt;/<wbr>b></code></p>'],
  // What does not end would change the rest of the page.
  ['a <b>c', '<p>a &lt;b>c</p>'],
  ['<a href="javascript:alert(1)">a</a>', '<p>a</p>'],
  ['a <b onclick="alert(1)">c</b>', '<p>a <b>c</b></p>'],
  ['a <script>alert(1)</script>', '<p>a &lt;script>alert(1)&lt;/script></p>'],
  ['<img src="x">', '<p>&lt;img src=&quot;x&quot;></p>'],
])('of HTML in a text, %j, the page has what is harmless, and the rest as text', (text, html) => {
  expect(markdown(text).trim()).toBe(html);
});

test('a long name of words wraps between them', () => {
  const served = servedWith([
    parameter('supportedRecurringModels', 'Models.', {}),
    parameter('pageToken', 'Token.', {}),
  ]);
  expect(renderPage(served)).toContain('<code>supported<wbr>Recurring<wbr>Models</code>');
  expect(renderPage(served)).toContain('<code>pageToken</code>');
});

test('a contract with few operations of much text has several pages, each of less than 500 kB', () => {
  const operations = Array.from({ length: 20 }, (_, index) => {
    const names = Array.from({ length: 100 }, (_none, count) => `field${count}`);
    const properties = Object.fromEntries(
      names.map((name) => [name, { type: 'string', description: name.repeat(9) }]),
    );
    const content = { 'application/json': { schema: { type: 'object', properties } } };
    const responses = { 200: { description: 'Done.', content } };
    return [`/things-${index}`, { get: { operationId: `list${index}`, tags: ['Things'], responses } }];
  });
  const info = { title: 'Things', version: '1.0.0' };
  const document = { openapi: '3.1.0', info, paths: Object.fromEntries(operations) as object };
  const contract = contractFrom(JSON.stringify(document));
  const served = servedAt({ contract, model: readModel(contract.document) }, { url: 'https://api.example' });
  const places = new Set(['/docs', ...referenceOf(served).homes.values()]);
  expect(places.size).toBeGreaterThan(2);
  for (const place of places) expect(renderPage(served, place).length).toBeLessThan(500_000);
});
