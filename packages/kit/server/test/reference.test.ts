import { gzipSync } from 'node:zlib';
import type { Contract } from '@contract-kit/core';
import type { JsonObject } from '@contract-kit/core/json';
import { readModel, readSchemas, type Schema } from '@contract-kit/core/model';
import { exampleOf } from '@contract-kit/core/values';
import { assets } from '../src/docs/docs-assets.ts';
import { docsPages } from '../src/docs/docs-pages.ts';
import { renderPage } from '../src/docs/html/page.ts';
import { renderIndex, renderMarkdown } from '../src/docs/markdown/page.ts';
import { referenceOf } from '../src/docs/reference.ts';
import { servedDocument } from '../src/docs/served-document.ts';
import { servedAt } from '../src/docs/served.ts';
import { contractFrom, published } from '@contract-kit/test-support/contracts';
import { contract, model } from './library/contract.ts';
import { manyOperations } from './library/many-operations.ts';

const server = { url: 'https://api.example/v1', description: 'This server' };
const served = servedAt({ contract, model }, server);
const html = renderPage(served);
const text = html
  .replace(/<[^>]+>/g, '')
  .replaceAll('&lt;', '<')
  .replaceAll('&quot;', '"')
  .replaceAll('&amp;', '&');
const markdown = renderMarkdown(served);

test('every operation of a contract is on the page, in the contents, in the Markdown and in the index', () => {
  const ids = model.operations.map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(10);
  for (const id of ids) {
    expect(html).toContain(`<article id="${id}"`);
    expect(html).toContain(`<li><a href="#${id}">`);
    expect(markdown).toContain(`operationId \`${id}\``);
    expect(renderIndex(served)).toContain(`https://api.example/docs#${id}`);
  }
});

test('shows only text, and every link on the page works', () => {
  for (const item of [text, markdown, renderIndex(served)])
    expect(item).not.toMatch(/\[object|undefined|NaN/);
  expectLinked(html);
});

function expectLinked(page: string): void {
  const targets = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
  expect(targets.filter((id, index) => targets.indexOf(id) < index)).toEqual([]);
  const links = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id = '']) => id);
  expect(links.filter((id) => !targets.includes(id))).toEqual([]);
}

/** The pages of a contract with another document. */
function pagesOf(document: object) {
  const other = contractFrom(JSON.stringify(document));
  const served = servedAt({ contract: other, model: readModel(other.document) }, server);
  return {
    contract: other,
    served,
    page: (place?: string) => renderPage(served, place),
    markdown: renderMarkdown(served),
    index: renderIndex(served),
    homes: referenceOf(served).homes,
  };
}
const pageOf = (document: object) => pagesOf(document).page();

test('no part of the page has the id of another, and sections share the links of the description', () => {
  const links = '[one]: https://library.example/one\n';
  const description = `[one]\n\n## Keys\n\n## How to authenticate\n\n[one]\n\n## Errors\n\n## Codes of errors\n\n${links}`;
  const renamed = JSON.stringify(contract.document).replaceAll('listLoans', 'search');
  const document = JSON.parse(renamed) as JsonObject;
  const info = { ...(document['info'] as object), description };
  const page = pageOf({ ...document, info });
  expectLinked(page);
  // Two sections refer to the link at the end.
  expect(page.split('<a href="https://library.example/one">')).toHaveLength(3);
});

test('names and texts of the author stay, even if they look like a reference, a link or empty lines', () => {
  const description =
    'An #/components/schemas/Error, see [Errors](#errors).\n\n```\nlist[i](#x)\n\n\n"#/components/schemas/Error"\n```';
  const schema = { $ref: '#/components/schemas/Error' };
  const {
    contract: other,
    served,
    page,
    markdown,
  } = pagesOf({
    openapi: '3.1.0',
    info: { title: 'Names', version: '1.0.0', description },
    paths: {
      '/': { get: { responses: { 200: { description, content: { 'application/json': { schema } } } } } },
    },
    components: { schemas: { Error: { type: 'object', title: 'Failure' }, Date: { type: 'string' } } },
  });
  const { info, components } = servedDocument(served);
  expect({ info, components }).toEqual({
    info: other.document['info'],
    components: other.document['components'],
  });
  expect(markdown).toContain(description);
  expect(markdown).toContain('### Error\n');
  expect(page()).toContain('<a href="#schema-Error">Error</a>');
  expect(page()).toContain('An #/components/schemas/Error, see <a href="#errors">Errors</a>');
});

test('a backtick in a name or a value does not end its code', () => {
  const field = { type: 'string', enum: ['a``b', '`'] };
  const schemas = { Tick: { type: 'object', properties: { 'c`d': field } } };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Tick' } } };
  const get = { responses: { 200: { description: 'Ticked.', content } } };
  const { page, markdown } = pagesOf({
    openapi: '3.1.0',
    info: { title: 'Ticks', version: '1.0.0' },
    paths: { '/ticks': { get } },
    components: { schemas },
  });
  for (const text of ['c`d', 'a``b', '`']) expect(page()).toContain(`<code>${text}</code>`);
  expect(markdown).toContain('| `` c`d `` | string. One of ``` a``b ```, `` ` ``. |');
});

test.each([
  ['a pattern and lengths', 'At least 1 character. At most 64 characters. Matches ^\\S.*$.'],
  ['an enum with its default', 'One of novel, poem, play. Default: novel.'],
  ['values that may become more', 'One of satire, crime; new values may be added.'],
  ['bounds and deprecation', 'Deprecated. More than 0. Less than 100000.'],
  ['what stands in requests only', 'A note of the librarians. In requests only.'],
  ['a default that is false', 'Lost ones too. Default: false.'],
  ['a composition', 'Book with more fields'],
  ['alternatives', 'Card or Invoice'],
  ['a tag of alternatives', 'Card if method is card'],
  ['alternatives of security', 'operator or partner'],
  ['optional security', 'partner or no key'],
  ['a response that is no JSON', 'text/csv: string'],
  ['the codes of a response', 'Code: rate_limit_exceeded or api_key_banned'],
  ['a header of some responses', 'Headers: Link, X-Total, X-Ratio.'],
])('the page says %s', (_what, words) => {
  expect(text).toContain(words);
});

/** The part of `page` for an operation. */
const articleOf = (page: string, id: string) =>
  page.split('<article ').find((part) => part.startsWith(`id="${id}"`));

test('shows a field only in its direction', () => {
  const [request = '', response = ''] = articleOf(html, 'replaceBook')?.split('>Responses<') ?? [];
  const names = ['id', 'secret'].map((name) => `<code>${name}</code>`);
  expect(names.map((name) => request.includes(name))).toEqual([false, true]);
  expect(names.map((name) => response.includes(name))).toEqual([true, false]);
});

test('each operation has a panel to try it, unless the contract hides it', () => {
  const ids = model.operations.map(({ id }) => id);
  const isShown = (id: string) => articleOf(html, id)?.includes('<summary>Try it</summary>');
  expect(ids.filter((id) => !isShown(id))).toEqual(['getReport']);
});

test.each([
  'javascript:alert(1)',
  ' JavaScript:alert(1)',
  'java\nscript:alert(1)',
  '&#106;avascript:alert(1)',
  'javascript&colon;alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:alert(1)',
])('no link of the page leads to a script: %j', (url) => {
  const info = {
    ...(contract.document['info'] as object),
    contact: { name: 'Us', url },
    termsOfService: url,
    description: `[a](${url}) [b](<${url}>) ![c](${url}) [d] <${url}>\n\n[d]: ${url}`,
  };
  const page = pageOf({ ...contract.document, info, externalDocs: { url, description: 'More' } });
  // As a browser reads an attribute.
  const read = (text: string) =>
    text
      .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
      .replaceAll('&colon;', ':');
  const links = [...page.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link = '']) => read(link));
  for (const link of links)
    expect(new URL(link.replaceAll('&amp;', '&'), 'https://x.example').protocol).toMatch(
      /^https?:$|^mailto:$/,
    );
});

test('headings of both levels of the description are in the contents', () => {
  const description = 'What it is.\n\n# Set up\n\nOnce.\n\n## Behind a proxy\n\nTwice.';
  const info = { ...(contract.document['info'] as object), description };
  const page = pageOf({ ...contract.document, info });
  for (const [id, title] of [
    ['set-up', 'Set up'],
    ['behind-a-proxy', 'Behind a proxy'],
  ])
    expect(page).toContain(`<li><a href="#about-${id}">${title}</a></li>`);
});

test('links and images of descriptions are links with their query and title', () => {
  const description =
    '[a](https://x.example/?a=1&amp;b=2 "T") ![b](c.png) ![c](https://z.example/d.png) <https://y.example/?a=1&b=2>';
  const page = pageOf({
    ...contract.document,
    info: { ...(contract.document['info'] as object), description },
  });
  expect(page).toContain('<a href="https://x.example/?a=1&amp;b=2" title="T">a</a>');
  expect(page).toContain('<img src="c.png" alt="b">');
  // The policy of the page loads none of another origin.
  expect(page).toContain('<a href="https://z.example/d.png">c</a>');
  expect(page).toContain('<a href="https://y.example/?a=1&amp;b=2">');
});

test('escapes HTML and scripts in the contract', () => {
  const info = {
    ...(contract.document['info'] as object),
    title: '<b>',
    description: '<img src=x onerror=alert(1)> "`<i>`"',
  };
  const page = pageOf({ ...contract.document, info });
  expect(page).not.toMatch(/<img|<b>|<i>/);
  expect(page).toContain('&lt;img src=x');
});

test('experimental and beta operations are marked', () => {
  const document = structuredClone(contract.document) as {
    paths: Record<string, Record<string, JsonObject>>;
  };
  Object.assign(document.paths['/loans']?.['get'] ?? {}, { 'x-stability': 'experimental' });
  const page = pageOf(document);
  const isMarked = (id: string) => articleOf(page, id)?.includes('<span class="badge">experimental</span>');
  expect(['listLoans', 'createLoan', 'cancelLoan'].map(isMarked)).toEqual([true, false, false]);
});

test('the page, its Markdown and llms.txt list an operation without a tag under "Other"', () => {
  const document = structuredClone(contract.document) as {
    paths: Record<string, Record<string, JsonObject>>;
  };
  Object.assign(document.paths['/loans/{loanId}']?.['delete'] ?? {}, { tags: undefined });
  const { page, markdown: text, index } = pagesOf(document);
  expect(page()).toMatch(/<h2>Other<\/h2>\s*<article id="cancelLoan"/);
  expect(text).toMatch(/^## Other\n+### Cancel a loan$/m);
  expect(index).toMatch(/^### Other\n\n- \[Cancel a loan\]/m);
});

describe('of a contract without security, plans, codes, examples or declared tags', () => {
  const operation = (id: string, tag: string) => ({
    operationId: id,
    tags: [tag],
    responses: {
      default: {
        description: 'A file.',
        content: { 'application/hal+json': { schema: { $ref: '#/components/schemas/File' } } },
      },
    },
  });
  const paths = {
    '/a': { get: operation('file.list', '書類'), put: operation('file "put" <it>', 'Файлы') },
    '/b': { get: operation('byTag', 'A & B'), put: operation('bySign', 'a-b') },
    '/c': { get: { responses: { '204': { description: '' } } } },
  };
  const File = { type: 'object', properties: { name: { type: 'string' }, size: { type: 'integer' } } };
  const plain = {
    openapi: '3.1.0',
    info: { title: 'Files', version: '1' },
    paths,
    components: { schemas: { File } },
  };
  const { page, markdown: text, index } = pagesOf(plain);

  test('every tag has a group, and every operation its name in code', () => {
    expect([...page().matchAll(/<section id="group-([^"]+)"><h2>([^<]+)/g)].map(([, ...all]) => all)).toEqual(
      [
        ['part', '書類'],
        ['part-2', 'Файлы'],
        ['a-b', 'A &amp; B'],
        ['a-b-2', 'a-b'],
        ['other', 'Other'],
      ],
    );
    expectLinked(page());
    expect(articleOf(page(), 'fileList')).toContain('await library.fileList()');
    expect(index).toContain('/docs#filePutIt): `PUT /a`');
  });

  test('keys, plans and codes are not mentioned', () => {
    for (const item of [page(), text, index])
      expect(item).not.toMatch(
        /authenti|With a <a|Rate limits|>Errors<|# (Security|Plans|Error codes)|^> $/im,
      );
    expect(articleOf(page(), 'fileList')).toContain('Needs no key.');
  });

  test('an example of a response has every field', () => {
    for (const item of [page(), text.replaceAll('"', '&quot;')])
      expect(item.replace(/<\/?span>/g, '')).toContain(
        '{\n  &quot;name&quot;: &quot;text&quot;,\n  &quot;size&quot;: 1\n}',
      );
  });
});

// check-support.test.ts of the contract's tools tests that samples of the kitchen-sink contract fit their schemas.
test('a sample matches a pattern, and is finite for a recursive schema', () => {
  const name: Schema = { type: 'string', pattern: '^[A-Z]+$' };
  const children: Schema = { type: 'array', items: { $ref: '#/components/schemas/Example' } };
  const Example: Schema = { type: 'object', required: ['name', 'children'], properties: { name, children } };
  const schema = { $ref: '#/components/schemas/Example' };
  expect(exampleOf(readSchemas({ components: { schemas: { Example } } }), { schema })).toEqual({
    name: 'A',
    children: [],
  });
});

test('a sample writes the fields of a form in a URL in their styles', () => {
  const colors = { type: 'array', items: { type: 'string' }, example: ['a b', 'c,d'] };
  const form = {
    schema: { type: 'object', properties: { colors, note: { type: 'string', example: 'e f' } } },
    encoding: { colors: { explode: false } },
  };
  const requestBody = { content: { 'application/x-www-form-urlencoded': form } };
  const stamps = { post: { requestBody, responses: { 204: { description: 'Kept.' } } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Stamps', version: '1.0' },
    paths: { '/stamps': stamps },
  };
  const contract = contractFrom(JSON.stringify(document));
  const text = renderMarkdown(servedAt({ contract, model: readModel(contract.document) }, server));
  expect(text).toContain("--data-raw 'colors=a%20b,c%2Cd&note=e%20f'");
});

test('a sample has no field in which a recursive schema ends', () => {
  const and: Schema = { type: 'array', items: { $ref: '#/components/schemas/Where' } };
  const Where: Schema = { minProperties: 1, properties: { and, size: { type: 'integer' } }, required: [] };
  const schemas = readSchemas({ components: { schemas: { Where } } });
  expect(exampleOf(schemas, { schema: { ...Where } })).toStrictEqual({ and: [{ size: 1 }] });
});

test('a body that no value fits has no example', () => {
  const Endless = {
    type: 'object',
    required: ['next'],
    properties: { next: { $ref: '#/components/schemas/Endless' } },
  };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Endless' } } };
  const post = { requestBody: { content }, responses: { 200: { description: 'Kept.', content } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Stamps', version: '1.0' },
    paths: { '/stamps': { post } },
    components: { schemas: { Endless } },
  };
  const contract = contractFrom(JSON.stringify(document));
  const endless = servedAt({ contract, model: readModel(contract.document) }, server);
  for (const text of [renderPage(endless), renderMarkdown(endless), JSON.stringify(servedDocument(endless))])
    expect(text).not.toContain('undefined');
  expect(renderPage(endless)).toContain('<p>No example.</p>');
});

describe('a contract of 100 operations or more', () => {
  const { served: large, page: pageAt, homes, markdown: text, index } = pagesOf(manyOperations());

  test('has a page for each tag, and a visit loads only that', () => {
    expect(new Set(homes.values()).size).toBeGreaterThan(40);
    expect(homes.get('listLoans7')).toBe('/docs/copy-7');
    expect(Object.keys(docsPages(large))).toContain('/docs/copy-7');
    const [start, page] = [pageAt('/docs'), pageAt('/docs/copy-7')];
    expect(start).not.toContain('<article id="listLoans7"');
    expect(articleOf(page, 'listLoans7')).toContain('GET');
    expect(page).not.toContain('<article id="listLoans8"');
  });

  test('has several pages for a tag of many operations, each with a link to the next', () => {
    const document = structuredClone(large.contract.document);
    const items = Object.values(document['paths'] as Record<string, Record<string, { tags?: string[] }>>);
    for (const item of items)
      for (const operation of Object.values(item)) if (operation.tags) operation.tags = ['All'];
    document['tags'] = [{ name: 'All', description: 'Every one.' }];
    const { page, homes: places } = pagesOf(document);
    const all = [...new Set(places.values())];
    expect(all.slice(0, 2)).toEqual(['/docs/all', '/docs/all/2']);
    const [first, second] = [page(all[0]), page(all[1])];
    for (const [id, home] of places)
      if (!id.startsWith('group-'))
        expect([id, first.includes(`<article id="${id}"`), second.includes(`<article id="${id}"`)]).toEqual([
          id,
          home === all[0],
          home === all[1],
        ]);
    expect(first).toContain('href="/docs/all/2">More operations');
    expect(page(all.at(-1))).not.toContain('>More operations');
    expect([first, second].map((text) => text.includes('Every one.'))).toEqual([true, false]);
  });

  test('lists on each page the groups, and the operations of those alone that it has', () => {
    const contentsOf = (place: string) => /<nav [^]*<\/nav>/.exec(pageAt(place))?.[0];
    for (const place of ['/docs', '/docs/copy-7', '/docs/schemas']) {
      expect(contentsOf(place)).toMatch(/href="(\/docs\/copy-8)?#group-copy-8"/);
      expect(contentsOf(place)?.includes('cancelLoan7')).toBe(place === '/docs/copy-7');
    }
  });

  test('has pages for headers and schemas, the first with links to all', () => {
    const document = structuredClone(large.contract.document) as {
      components: { schemas: Record<string, JsonObject> };
    };
    for (const id of Array(300).keys())
      document.components.schemas[`Thing${id}`] = { type: 'string', description: 'A thing. '.repeat(50) };
    const { page, homes: places } = pagesOf(document);
    expect(places.get('response-headers')).toBe('/docs/response-headers');
    const pages = [...places].flatMap(([id, place]) => (id.startsWith('schema-') ? [place] : []));
    const [first, second, ...others] = new Set(pages);
    expect([first, second]).toEqual(['/docs/schemas', '/docs/schemas/2']);
    const [start, next] = [page(first), page(second)];
    for (const text of [start, next, ...others.map(page)])
      expect(Buffer.byteLength(text)).toBeLessThan(500_000);
    for (const [id, place] of places)
      if (id.startsWith('schema-')) {
        expect(start).toContain(`href="${place === first ? '' : place}#${id}"`);
        expect([id, next.includes(`<section id="${id}"`)]).toEqual([id, place === second]);
      }
    expect(start).toContain('href="/docs/schemas/2">More schemas');
  });

  test('a tag with the name of such a page gets another one', () => {
    const document = { ...large.contract.document, tags: [{ name: 'Schemas' }] };
    const { homes: places } = pagesOf(document);
    expect(places.get('group-schemas-2')).toBe('/docs/schemas-2');
  });

  test('every link leads to a page with its target', () => {
    const places = ['/docs', ...new Set(homes.values())].filter((place) => !/copy-[^7]/.test(place));
    const pages = new Map(places.map((place) => [place, pageAt(place)]));
    for (const [place, page] of pages) {
      for (const [, home, id] of page.matchAll(/ href="(\/docs[\w/-]*)?#([^"]+)"/g)) {
        const there = pages.get(home ?? place);
        if (there) expect([place, home, there.includes(` id="${id}"`)]).toEqual([place, home, true]);
      }
      expect(page).toContain('href="/docs/copy-8#group-copy-8"');
      expect(page.match(/<h1>/g)).toHaveLength(1);
    }
    for (const item of [text, index]) expect(item).not.toMatch(/\/docs#(list|create|cancel)Loan/);
    expect(index).toContain('https://api.example/docs/copy-8#cancelLoan8');
  });
});

describe('packages', () => {
  /** Everything that a service says about itself. */
  function textsOf(own: Contract) {
    const served = servedAt({ contract: own, model: readModel(own.document) }, server);
    return [
      renderPage(served).replaceAll('&amp;', '&').replaceAll('<wbr>', ''),
      renderMarkdown(served),
      renderIndex(served),
      JSON.stringify(servedDocument(served)),
    ];
  }
  const unpublished = { ...contract };
  delete (unpublished as { published?: unknown }).published;
  const { info } = contract.document as { info: JsonObject };

  test('that nobody published are not named: the samples use fetch, and the reader is told whom to ask', () => {
    for (const item of textsOf(unpublished)) {
      expect(item).not.toMatch(/@library\/|library-mcp|createLibrary|npm install|npx /);
    }
    const [page = '', text = '', index = '', json = ''] = textsOf(unpublished);
    for (const item of [page, text, index])
      expect(item).toMatch(/for the typed client and the MCP server of this API. No registry has them/);
    for (const item of [text, json]) expect(item).toContain('await fetch(');
    expect(page).toContain('await fetch(');
  });

  test.each([
    [
      { name: 'Support', url: 'https://library.example/help' },
      'Ask [Support](https://library.example/help) for',
    ],
    [
      { email: 'help@library.example' },
      'Ask [the operator of this service](mailto:help@library.example) for',
    ],
    [{ name: 'Ada' }, 'Ask Ada for'],
    [undefined, 'Ask the operator of this service for'],
  ])('come from the contact of the contract: %j', (contact, asking) => {
    const document = { ...contract.document, info: { ...info, contact } };
    expect(textsOf({ ...unpublished, document })[2]).toContain(asking);
  });

  test('that are published have their name, and a command that takes them from their registry', () => {
    const client = { name: '@acme/books', registry: 'https://npm.acme.example/' };
    const own = { ...unpublished, published: { client, mcp: { ...client, name: 'books-mcp' } } };
    const texts = textsOf(own);
    for (const item of texts.slice(0, 3)) {
      expect(item).toMatch(/npm install @acme\/books --@acme:registry=https:\/\/npm\.acme\.example\//);
      expect(item).toMatch(/npm install books-mcp --registry=https:\/\/npm\.acme\.example\//);
      expect(item).toContain('@acme/books/stream');
      expect(item).not.toMatch(/@library\/|No registry/);
    }
    for (const item of [texts[1], texts[3]])
      expect(item).toContain("import { createLibrary } from '@acme/books'");
  });

  test('of which one is published leave the other to the operator', () => {
    const { client, mcp } = published;
    expect(textsOf({ ...unpublished, published: { client } })[2]).toMatch(
      /`@library\/client` is.*\n- Ask .* for the MCP server of this API. No registry has it/,
    );
    const [page, text] = textsOf({ ...unpublished, published: { mcp } });
    expect(text).toMatch(/`@library\/mcp` is.*\n- Ask .* for the typed client of this API/);
    expect(page).not.toContain('@library/client');
  });
});

test('the page is at most 20 kB compressed, and 1 kB more for each operation', () => {
  const files = [html, ...Object.values(assets).map(({ bytes }) => bytes)];
  const size = files.reduce((sum, file) => sum + gzipSync(file).length, 0);
  expect(files).toHaveLength(4);
  expect(size).toBeLessThanOrEqual(20_000 + 1_000 * model.operations.length);
});
