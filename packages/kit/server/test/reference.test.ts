import { document } from '@petstore/contract/document';
import type { JsonObject } from '@petstore/contract/json-pointer';
import { exampleOf, type Schema } from '@petstore/contract/shown-example';
import { operationsOf } from '../src/pages/contract.ts';
import { renderPage } from '../src/pages/html.ts';
import { renderIndex, renderMarkdown } from '../src/pages/markdown.ts';
import { servedDocument } from '../src/pages/served-document.ts';
import { servedKitchenSink } from './kitchen-sink/served.ts';

const own = { url: 'https://api.example/v1', description: 'This server' };
const wide = servedKitchenSink();
const html = renderPage(wide, (file) => `/${file}`);
const text = html
  .replace(/<[^>]+>/g, '')
  .replaceAll('&lt;', '<')
  .replaceAll('&quot;', '"')
  .replaceAll('&amp;', '&');
const markdown = renderMarkdown(wide);

test('every operation of a contract is on the page, in the contents, in the Markdown and in the index', () => {
  const ids = operationsOf(wide).map(({ operationId }) => operationId);
  expect(ids.length).toBeGreaterThan(10);
  for (const id of ids) {
    expect(html).toContain(`<article id="${id}"`);
    expect(html).toContain(`<li><a href="#${id}">`);
    expect(markdown).toContain(`operationId \`${id}\``);
    expect(renderIndex(wide)).toContain(`https://api.example/docs#${id}`);
  }
});

test('nothing is shown that is no text, and every link on the page leads somewhere', () => {
  for (const each of [text, markdown, renderIndex(wide)]) expect(each).not.toMatch(/\[object|undefined|NaN/);
  expectLinked(html);
});

function expectLinked(page: string): void {
  const targets = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
  expect(targets.filter((id, index) => targets.indexOf(id) < index)).toEqual([]);
  const links = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id = '']) => id);
  expect(links.filter((id) => !targets.includes(id))).toEqual([]);
}

test('no operation and no heading takes the name of another part of the page', () => {
  const description = '## Keys\n\n## How to authenticate\n\n## Errors\n\n## Codes of errors\n';
  const contract = JSON.parse(JSON.stringify(document).replaceAll('listOrders', 'search')) as typeof document;
  const info = { ...(contract['info'] as object), description };
  expectLinked(renderPage(servedDocument({ ...contract, info }, own), () => '/x'));
});

test.each([
  ['a pattern and lengths', 'At least 1 character. At most 64 characters. Matches ^\\S.*$.'],
  ['an enum with its default', 'One of dog, cat, fish. Default: dog.'],
  ['values that may become more', 'One of poodle, boxer; new ones may come.'],
  ['bounds and deprecation', 'Deprecated. More than 0. Less than 100000.'],
  ['what stands in requests only', 'The word it answers to. In requests only.'],
  ['a default that is false', 'Sold ones too. Default: false.'],
  ['a composition', 'Pet with object'],
  ['alternatives', 'Card or Invoice'],
  ['a tag of alternatives', 'card: Card. invoice: Invoice.'],
  ['alternatives of security', 'operator or partner'],
  ['optional security', 'partner or nothing'],
  ['a reply that is no JSON', 'text/csv: string'],
  ['the codes of a response', 'Code: rate_limit_exceeded or api_key_banned'],
  ['a header of some replies', 'Link, X-Total, X-Ratio, and those of every response'],
])('the page says %s', (_what, words) => {
  expect(text).toContain(words);
});

/** The part of `page` for an operation. */
const articleOf = (page: string, id: string) =>
  page.split('<article ').find((each) => each.startsWith(`id="${id}"`));

test('a field is only shown where it can stand', () => {
  const [request = '', response = ''] = articleOf(html, 'replacePet')?.split('>Responses<') ?? [];
  const names = ['id', 'secret'].map((name) => `<code>${name}</code>`);
  expect(names.map((name) => request.includes(name))).toEqual([false, true]);
  expect(names.map((name) => response.includes(name))).toEqual([true, false]);
});

test('what the contract says is text, and never HTML or a script', () => {
  const info = {
    ...(document['info'] as object),
    title: '<b>',
    description: '<img src=x onerror=alert(1)> "`<i>`"',
  };
  const page = renderPage(servedDocument({ ...document, info }, own), () => '/x');
  expect(page).not.toMatch(/<img|<b>|<i>/);
  expect(page).toContain('&lt;img src=x');
});

test('experimental and beta operations are marked', () => {
  const contract = structuredClone(document) as { paths: Record<string, Record<string, JsonObject>> };
  Object.assign(contract.paths['/store/orders']?.['get'] ?? {}, { 'x-stability': 'experimental' });
  const page = renderPage(servedDocument(contract, own), () => '/x');
  const isMarked = (id: string) => articleOf(page, id)?.includes('<span class="badge">experimental</span>');
  expect(['listOrders', 'cancelOrder', 'getPet'].map(isMarked)).toEqual([true, false, false]);
});

test('the page, its Markdown and llms.txt list an operation without a tag under "Other"', () => {
  const contract = servedDocument(document, own);
  expect(renderPage(contract, () => '/x')).toMatch(/<h2>Other<\/h2>\s*<article id="getPet"/);
  expect(renderMarkdown(contract)).toMatch(/^## Other\n+### Get a pet$/m);
  expect(renderIndex(contract)).toMatch(/^### Other\n\n- \[Get a pet\]/m);
});

// check-support.test.ts of the contract's tools tests that samples of the kitchen-sink contract fit their schemas.
test('a sample leaves a pattern to the reader, and ends where a schema leads back to itself', () => {
  const name: Schema = { type: 'string', pattern: '^[A-Z]+$' };
  const children: Schema = { type: 'array', items: { $ref: '#/components/schemas/Example' } };
  const Example: Schema = { type: 'object', required: ['name', 'children'], properties: { name, children } };
  const contract = { ...wide, components: { ...wide.components, schemas: { Example } } };
  const schema = { $ref: '#/components/schemas/Example' };
  expect(exampleOf(contract, { schema })).toEqual({ name: 'REPLACE_ME', children: [] });
});
