import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readModel } from '@contract-kit/core/model';
import { contractFrom } from '@contract-kit/test-support/contracts';
import { newFolder } from '@contract-kit/test-support/testing';
import { startForCheck } from '../src/checking.ts';
import { renderPage } from '../src/docs/html/page.ts';
import { renderIndex, renderMarkdown } from '../src/docs/markdown/page.ts';
import { referenceOf } from '../src/docs/reference.ts';
import { servedAt } from '../src/docs/served.ts';
import { notYet } from '../src/pipeline/dispatch.ts';

/* What the pages say of operations and of the contract as a whole. */

const server = { url: 'https://api.example/v1', description: 'This server' };
const text = readFileSync(
  path.join(import.meta.dirname, '../../../test-support/kitchen-sink/documented.yaml'),
  'utf8',
);

function pagesOf(yaml: string) {
  const contract = contractFrom(yaml);
  const model = readModel(contract.document);
  const served = servedAt({ contract, model }, server);
  const html = renderPage(served);
  return {
    model,
    served,
    html,
    text: textOf(html),
    markdown: renderMarkdown(served),
    index: renderIndex(served),
  };
}

function textOf(html: string): string {
  return html
    .replaceAll(/<wbr>|<\/?span>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');
}

/** Without signs of Markdown, and with single spaces, so that both forms can be compared. */
const words = (part: string) =>
  part
    .replaceAll(/[`*|\\[\]()]|---/g, ' ')
    .replaceAll(/\s+([.,:]?)(?=\s|$|)/g, ' $1')
    .replaceAll(/ +/g, ' ')
    .replaceAll(/ (?=[.,:])/g, '');

const pages = pagesOf(text);
const { html, markdown, index } = pages;
const articleOf = (id: string) =>
  textOf(html.split('<article ').find((part) => part.startsWith(`id="${id}"`)) ?? '');
const partOf = (heading: string) =>
  markdown.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';

test('every link of the page works, and it shows only text', () => {
  const targets = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
  const links = [...html.matchAll(/ href="#([^"]+)"/g)].map(([, id = '']) => id);
  expect(targets.filter((id, place) => targets.indexOf(id) < place)).toEqual([]);
  expect(links.filter((id) => !targets.includes(id))).toEqual([]);
  for (const item of [pages.text, markdown, index]) expect(item).not.toMatch(/\[object|undefined|NaN/);
});

test('a webhook has its method, headers, body and expected responses, and is listed in the contents and the index', () => {
  expect(html).toContain('<a href="#all-webhooks">Webhooks</a>');
  expect(html).toContain('<a href="#webhook-postJobFailed">');
  expect(index).toContain(
    '- [A job has failed](https://api.example/docs#webhook-postJobFailed): `POST` as `jobFailed`',
  );
  for (const part of [articleOf('webhook-postJobFailed'), partOf('A job has failed')])
    for (const words of [
      ...['POST', 'jobFailed', 'Sent to the address in your account.', 'X-Attempt', 'How often it was sent.'],
      ...['tenant', 'reason', 'Why it failed.', 'The disk is full.', '2XX', '410', 'Send no more of them.'],
    ])
      expect(part).toContain(words);
  for (const item of [pages.text, markdown])
    expect(item).toContain('this server does not send them by itself');
  expect(articleOf('webhook-onTenantClosed')).toContain('deprecated');
});

test('a callback has its address, body and expected responses, at its operation and in the index', () => {
  expect(index).toContain(
    '- [finished](https://api.example/docs#createJob), because of Create a job: `POST {$request.body#/callbackUrl}?job={$response.body#/id}`',
  );
  for (const part of [articleOf('createJob'), partOf('Create a job')])
    for (const words of [
      ...['finished', 'POST {$request.body#/callbackUrl}?job={$response.body#/id}', 'A job has ended'],
      ...['Sent once, when the job has ended.', 'X-Signature', 'HMAC of the body.', 'Heard.', '410'],
      ...['PUT {$request.body#/progressUrl}', 'Which part of it is done.'],
    ])
      expect(part).toContain(words);
});

test('a link says what it calls with what, and leads there', () => {
  expect(partOf('List jobs')).toContain(
    '- `next`: calls `listJobs` with `after` = `$response.body#/cursor`. The next page.',
  );
  expect(html).toMatch(/<code>next<\/code>: calls <a href="#listJobs">/);
  // By a reference to an operation, and to one of another contract.
  expect(partOf('Create a job')).toContain('- `cancel`: calls `cancelJob` with');
  expect(html).toMatch(/calls <a href="#cancelJob">/);
  expect(articleOf('createJob')).toContain('at https://reports.example');
});

test('webhooks and callbacks are no operations of the service', () => {
  const ids = pages.model.operations.map(({ id }) => id);
  expect(pages.model.webhooks.map(({ id }) => id)).toEqual(['postJobFailed', 'onTenantClosed']);
  expect(ids).toEqual(['listJobs', 'createJob', 'getJob', 'cancelJob', 'watchJob', 'readLog']);
  expect([...pages.model.operationOf.keys()]).toEqual(ids);
});

test.each([
  ['the flows of a scheme', 'Authorization code Authorize at https://accounts.example/authorize'],
  ['where a token is refreshed', 'Refresh it at https://accounts.example/refresh'],
  ['a flow of machines', 'Client credentials Get a token at https://accounts.example/machine-token'],
  ['the codes of devices', 'Get a device code at https://accounts.example/device'],
  ['a flow without a secret', 'Implicit Authorize at https://accounts.example/implicit'],
  ['a flow with a password', 'Password Get a token at https://accounts.example/password'],
  ['the metadata of a scheme', 'https://accounts.example/.well-known/oauth-authorization-server'],
  ['the discovery of OpenID Connect', 'https://accounts.example/.well-known/openid-configuration'],
  ['a scope', 'jobs.write Create jobs.'],
  ['a deprecated scheme', 'device OAuth 2.0. Deprecated.'],
  ['that a token is sent', 'The token in the header Authorization'],
  ['that a key is sent', 'The key in the header X-Tenant'],
  ['alternatives of schemes with scopes', 'oauth scope jobs.read and tenant, or account'],
  ['optional security', 'oauth scopes jobs.write, jobs.read or no token'],
  ['the variables of a server', 'region: one of eu, us. Default: eu. Where the data is.'],
  ['another server of a path', 'The queue: https://queue.jobs.example/v1'],
  ['the description of a path', 'All jobs of a tenant.'],
  ['the documents of an operation', 'On lists'],
  ['the documents of a tag', 'On jobs'],
  ['the documents of the API', 'The guide'],
  ['whom to ask', 'support@jobs.example'],
  ['the license', 'Apache-2.0'],
])('the page and the Markdown say %s', (_what, said) => {
  expect(words(pages.text)).toContain(said);
  expect(words(markdown.replaceAll(/\]\([^)]*\)/g, ']'))).toContain(said);
});

test('a scope has a place on the page, where operations lead', () => {
  expect(html).toContain('<tr id="scope-oauth-jobs.write">');
  expect(html.split('href="#scope-oauth-jobs.write"').length).toBeGreaterThan(2);
  expect(html).toContain('<a href="https://spdx.org/licenses/Apache-2.0.html">');
});

describe('a stream', () => {
  test('of events says its events, how to resume, and what goes over the wire', () => {
    for (const part of [articleOf('watchJob'), partOf('watchJob')]) {
      const said = words(part);
      expect(said).toContain('A stream of server-sent events');
      expect(said).toContain('send the id of the last event as Last-Event-ID');
      for (const event of ['Event progress', 'Event finished', 'Event note', 'A text for people.'])
        expect(said).toContain(event);
      expect(said).not.toMatch(/text\/event-stream: (anything|No body)/);
    }
    expect(partOf('watchJob')).toContain(
      'event: progress\nid: text\ndata: {"done":0}\n\nevent: finished\nretry: 0\ndata: {"id":"job_7","state":"waiting"}\n\nevent: note\ndata: text\n\n',
    );
  });

  test('of lines says what a line is, with the example of the contract', () => {
    expect(partOf('readLog')).toContain('When it was written.');
    const lines =
      '{"at":"2026-01-02T03:04:05Z","text":"started"}\n{"at":"2026-01-02T03:04:06Z","text":"done"}\n';
    expect(partOf('readLog')).toContain(lines);
    expect(articleOf('readLog')).toContain('A stream of JSON values, each on a line');
  });

  test.each([
    ['application/json-seq', 'A sequence of JSON texts'],
    ['multipart/mixed', 'A sequence of parts'],
    ['application/x-records', 'A sequence of items'],
  ])('of %s that the kit does not send item by item says what its items are', (type, said) => {
    const items = `{ itemSchema: { type: object, properties: { size: { type: integer, maximum: 7 } } } }`;
    const part = pagesOf(`openapi: 3.2.0
info: { title: Records, version: '1' }
paths: { /records: { get: { responses: { '200': { description: All., content: { ${type}: ${items} } } } } } }
`);
    for (const item of [part.text, part.markdown]) {
      expect(item).toContain(said);
      expect(words(item)).toContain('At most 7');
    }
  });
});

test('what of documentation has a wrong shape is left out, and the rest is shown', () => {
  const junk = pagesOf(`openapi: 3.1.0
info: { title: Junk, version: '1' }
paths:
  /things:
    servers: [null, { description: No address. }]
    post:
      operationId: addThing
      responses:
        '200': { description: Added., links: { none: null, all: true, list: [], lost: { operationId: lost, parameters: 7 } } }
      callbacks:
        nothing: null
        text: word
        lost: { $ref: '#/components/callbacks/Lost' }
        empty: { '{$url}': null }
        done: { '{$url}': { post: { parameters: [null, { in: query }, { name: a, in: query }], requestBody: true, responses: { '200': null, '204': { description: Heard. } } } } }
webhooks:
  nothing: null
  flag: true
  list: [1]
  text: word
  lost: { $ref: '#/components/pathItems/Lost' }
  empty: {}
  bare: { post: {} }
  noMethod: { post: null, get: 7 }
  wrong:
    post:
      summary: 12
      tags: word
      security: [null, word]
      parameters: word
      requestBody: { content: { application/json: { schema: { properties: { a: null, b: 7, c: { type: string } }, pattern: '(' } }, text/plain: null } }
      responses: word
      callbacks: { again: { '{$url}': { post: { callbacks: { again: 7 } } } } }
  lostSchema:
    post: { requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Lost' } } } }, responses: { 2XX: { description: Heard. } } }
`);
  const { webhooks } = junk.model;
  expect(webhooks.map(({ path: name }) => name)).toEqual(['bare', 'wrong', 'lostSchema']);
  for (const item of [junk.text, junk.markdown, junk.index]) {
    expect(item).toContain('lostSchema');
    expect(item).toContain('done');
    expect(item).not.toMatch(/\[object|undefined|NaN/);
  }
});

test('a large contract has webhooks on a page of their own', () => {
  const operations = Array.from(
    { length: 120 },
    (_, place) =>
      `  /things/${place}: { get: { tags: [t${place % 3}], responses: { '204': { description: Done. } } } }`,
  );
  const { served, index: listed } = pagesOf(`openapi: 3.1.0
info: { title: Large, version: '1' }
paths:
${operations.join('\n')}
webhooks: { changed: { post: { summary: It changed, responses: { '204': { description: Heard. } } } } }
`);
  const place = referenceOf(served).homes.get('webhook-postChanged');
  expect(place).toBe('/docs/webhooks');
  expect(renderPage(served, place)).toContain('<article id="webhook-postChanged"');
  expect(renderPage(served)).not.toContain('<article id="webhook-');
  expect(renderPage(served)).toContain('href="/docs/webhooks#all-webhooks"');
  expect(listed).toContain('docs/webhooks#webhook-postChanged');
});

/* The errors that the kit sends, over HTTP, and as the page shows them. */
describe('the example of an error is what the service sends', () => {
  const problems = `openapi: 3.1.0
info: { title: Shelves, version: '1' }
servers: [{ url: /v1 }]
security: [{ token: [books.read] }, { key: [] }]
paths:
  /books:
    get:
      operationId: listBooks
      parameters: [{ name: limit, in: query, schema: { type: integer, maximum: 100 } }]
      responses:
        '200': { description: Books., content: { application/json: { schema: { type: array, items: {} } } } }
        '404': { $ref: '#/components/responses/Problem' }
    post:
      operationId: addBook
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
      responses:
        '204': { description: Added. }
        '404': { $ref: '#/components/responses/Problem' }
        '500':
          description: What the author says.
          content: { application/problem+json: { schema: { $ref: '#/components/schemas/Problem' }, example: { title: Ours, kind: broken } } }
components:
  securitySchemes:
    token: { type: oauth2, flows: { clientCredentials: { tokenUrl: 'https://a.example/token', scopes: { books.read: Read. } } } }
    key: { type: apiKey, in: header, name: X-Key }
  responses:
    Problem: { description: No., content: { application/problem+json: { schema: { $ref: '#/components/schemas/Problem' } } } }
  schemas:
    Problem: { type: object, required: [title, kind], properties: { title: { type: string }, kind: { type: string }, at: { type: string } } }
`;
  const contract = contractFrom(problems, { name: 'shelves', keyPrefix: 'sh_', databaseFile: 'store.db' });
  let service: Awaited<ReturnType<typeof startForCheck>>;
  let docs: string;
  let page: string;

  beforeAll(async () => {
    service = await startForCheck(contract, {
      dataDir: newFolder(),
      handlerOf: () => () => {
        throw new Error('broken');
      },
      errorBody: ({ code, message, path: at }) => ({ title: message, kind: code, at }),
    });
    docs = await (await fetch(`${service.origin}/docs.md`)).text();
    page = await (await fetch(`${service.origin}/docs`)).text();
  });
  afterAll(() => service.stop());

  const send = (target: string, key: string | undefined, init: RequestInit = {}) =>
    fetch(`${service.origin}/v1${target}`, {
      ...init,
      headers: { ...(key !== undefined && { Authorization: `Bearer ${key}` }), ...init.headers },
    });
  const exampleOf = (operation: string, status: number): unknown => {
    const part = docs.split(/^### /m).find((one) => one.startsWith(operation)) ?? '';
    const [, text = 'null'] = new RegExp(`^- \\*\\*${status}\\*\\* .*Example: (.*)`, 'm').exec(part) ?? [];
    return JSON.parse(text.replaceAll(/^`+ ?| ?`+$/g, ''));
  };
  const shown = (body: unknown) => JSON.stringify(body, undefined, 2);
  const json = (body: string) => ({ method: 'POST', body, headers: { 'content-type': 'application/json' } });

  test.each<[number, string, () => Promise<Response>]>([
    [400, 'listBooks', () => send('/books?unknown=1', service.key)],
    [401, 'listBooks', () => send('/books', undefined)],
    [403, 'listBooks', async () => send('/books', await service.newKey([]))],
    [413, 'addBook', () => send('/books', service.key, json(JSON.stringify('a'.repeat(100_000))))],
    [
      415,
      'addBook',
      () => send('/books', service.key, { ...json('a'), headers: { 'content-type': 'text/a' } }),
    ],
    [500, 'listBooks', () => send('/books', service.key)],
  ])('with %i', async (status, operation, request) => {
    const response = await request();
    expect(response.status).toBe(status);
    const body: unknown = await response.json();
    expect(exampleOf(operation, status)).toEqual(body);
    expect(textOf(page)).toContain(shown(body).replaceAll(/\s+/g, ' '));
  });

  test('with 429, whose seconds depend on the moment', async () => {
    const guess = () => send('/books', 'sh_guess');
    let response = await guess();
    for (let sent = 1; sent < 100 && response.status !== 429; sent += 1) response = await guess();
    const body = (await response.json()) as Record<string, string>;
    const example = exampleOf('listBooks', 429) as typeof body;
    expect(Object.keys(example)).toEqual(Object.keys(body));
    const withoutSeconds = ({ title = '', kind }: typeof body) => [
      title.replace(/in \d+ second/, 'in 1 second'),
      kind,
    ];
    expect(withoutSeconds(example)).toEqual(withoutSeconds(body));
    expect(response.headers.has('retry-after')).toBe(true);
    expect(docs).toMatch(/- \*\*429\*\* .*Headers: `Retry-After`/);
  });

  test('but that of the author, and her text, win', () => {
    expect(exampleOf('addBook', 500)).toEqual({ title: 'Ours', kind: 'broken' });
    expect(docs).toContain('**500** What the author says.');
  });

  test('at the address of the service', () => {
    expect(textOf(page)).toContain(`This server: ${service.origin}/v1`);
    expect(docs).toContain(`${service.origin}/v1`);
  });

  test('and its text says what it means for callers', async () => {
    for (const item of [docs, page, await (await fetch(`${service.origin}/openapi.json`)).text()]) {
      expect(item).toContain('a parameter or the body does not fit');
      expect(item).not.toContain('The request is not valid HTTP/1.1');
      expect(item).toContain('The API key or token is missing or not valid.');
    }
    expect(docs).toMatch(/- \*\*401\*\* .*Headers: `WWW-Authenticate`/);
  });

  test('in the shape of the kit, if the contract describes no errors', async () => {
    const plain = await startForCheck(
      contractFrom(`openapi: 3.1.0
info: { title: Bare, version: '1' }
paths: { /: { get: { operationId: hello, responses: { '204': { description: Hello. } } } } }
`),
      { dataDir: newFolder(), handlerOf: () => notYet },
    );
    const body: unknown = await (await fetch(`${plain.origin}/?unknown=1`)).json();
    const text = await (await fetch(`${plain.origin}/docs.md`)).text();
    expect(text).toContain(JSON.stringify(body));
    await plain.stop();
  });
});
