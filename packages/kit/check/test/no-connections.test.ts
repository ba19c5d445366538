import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { newFolder } from '@kit/server/testing';
import { startForCheck } from '@kit/server/checking';
import { contractOf } from '@kit/tools/contract-value';
import { fillContract } from '@kit/tools/fill-contract';
import { judge } from '@kit/tools/gate';
import { parseContract } from '@kit/tools/source-document';
import { root } from '@kit/tools/workspace';
import { checkFile, NAMES } from '../src/check-file.ts';

/* Nothing in a contract makes a command open a connection: every field that takes a URL or a reference has the address of a listener. */

let connections = 0;
const listener = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
let address = '';

beforeAll(async () => {
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  address = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
});
afterAll(() => {
  listener.close();
});

/** A sound contract with the address in every field in which OpenAPI allows a URL, and data that looks like a reference. */
function withAddress(url: string): string {
  const data = { $ref: url };
  const documented = { url, description: `![image](${url}) <img src="${url}"> [link](${url})` };
  const link = { operationRef: `${url}#/paths/~1a/get`, server: { url }, 'x-link': data };
  const flow = { authorizationUrl: url, tokenUrl: url, refreshUrl: url, scopes: {} };
  const content = (extra: object) => ({
    'application/json': { schema: { $ref: '#/components/schemas/Item' }, 'x-media': data, ...extra },
  });
  const place = { summary: 'An item', description: documented.description, externalDocs: documented };
  const successes = {
    200: {
      description: documented.description,
      headers: { 'X-More': { schema: { type: 'string' }, example: url, 'x-header': data } },
      content: content({ examples: { one: { externalValue: url }, two: { value: { note: url } } } }),
      links: { next: link },
    },
    '4XX': { description: 'No.', 'x-response': data },
  };
  return JSON.stringify({
    openapi: '3.1.0',
    jsonSchemaDialect: url,
    info: {
      title: 'Addresses',
      version: '1.0.0',
      description: documented.description,
      termsOfService: url,
      contact: { url },
      license: { name: 'MIT', url },
      'x-logo': { url, href: url, $ref: url },
    },
    externalDocs: documented,
    servers: [
      { url: `${url}/v1`, description: 'Production' },
      { url: '{host}/v1', variables: { host: { default: url } } },
    ],
    tags: [{ name: 'items', externalDocs: documented, 'x-tag': data }],
    security: [{ key: [] }, { oauth: [] }, { openId: [] }],
    'x-root': data,
    paths: {
      '/items': {
        servers: [{ url }],
        'x-item': data,
        get: {
          ...place,
          operationId: 'listItems',
          tags: ['items'],
          servers: [{ url }],
          'x-operation': data,
          'x-codeSamples': [{ lang: 'curl', label: 'curl', source: `curl ${url}` }],
          parameters: [
            {
              name: 'next',
              in: 'query',
              schema: { type: 'string', format: 'uri', default: url },
              'x-parameter': data,
            },
            {
              name: 'one',
              in: 'query',
              schema: { type: 'string' },
              examples: { one: { externalValue: url } },
            },
          ],
          responses: successes,
        },
        post: {
          operationId: 'addItem',
          requestBody: { required: true, content: content({ example: { note: url } }), 'x-body': data },
          responses: {
            307: {
              description: 'Elsewhere.',
              headers: {
                Location: {
                  required: true,
                  schema: { type: 'string', format: 'uri' },
                  example: `${url}/elsewhere`,
                },
              },
            },
          },
          callbacks: { done: { [`${url}/{$request.body#/note}`]: { post: { responses: {} } } } },
        },
      },
      '/go': {
        get: {
          operationId: 'go',
          responses: {
            302: {
              description: 'Elsewhere.',
              headers: {
                Location: { required: true, schema: { type: 'string' }, example: `${url}/elsewhere` },
              },
            },
          },
        },
      },
    },
    webhooks: { added: { post: { requestBody: { content: content({}) }, responses: {} } } },
    components: {
      'x-components': data,
      examples: { One: { externalValue: url, 'x-example': data } },
      links: { next: link },
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-API-Key', 'x-scheme': data },
        oauth: { type: 'oauth2', flows: { implicit: flow, authorizationCode: flow } },
        openId: { type: 'openIdConnect', openIdConnectUrl: url },
      },
      schemas: {
        Item: {
          type: 'object',
          $schema: url,
          externalDocs: documented,
          xml: { namespace: url, name: 'item' },
          'x-schema': data,
          properties: {
            note: { type: 'string', example: url },
            like: { default: data, example: data, examples: [data] },
            exactly: { const: data },
            among: { enum: [data, url] },
            either: {
              oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
              discriminator: { propertyName: 'kind', mapping: { other: url } },
            },
          },
        },
        Cat: { type: 'object', required: ['kind'], properties: { kind: { type: 'string', const: 'Cat' } } },
        Dog: { type: 'object', required: ['kind'], properties: { kind: { type: 'string', const: 'Dog' } } },
      },
    },
  });
}

function fileWith(text: string): string {
  const file = path.join(newFolder(), 'openapi.yaml');
  writeFileSync(file, text);
  return file;
}

test('no command opens a connection to an address in a contract', async () => {
  const text = withAddress(address);
  const file = fileWith(text);
  // All that `npm run generate` writes from it, a server, its client, and its tools for agents.
  const { works, lines } = await checkFile(file);
  expect([works, lines[0]]).toEqual([true, `${file}: works`]);
  const contract = parseContract(text);
  expect(fillContract(contract, text)).toContain(address);
  expect(judge(text, text, '2026-11-26').changes).toEqual([]);
  // As `npm run adopt` and `npm run contract:lint` do.
  const config = 'extends: [recommended-strict]\ntelemetry: off\nrules: { no-unresolved-refs: off }\n';
  writeFileSync(path.join(path.dirname(file), 'redocly.yaml'), config);
  const lint = [
    '--import',
    path.join(root, 'scripts/no-fetch.mjs'),
    path.join(root, 'node_modules/@redocly/cli/bin/cli.js'),
  ];
  await promisify(execFile)(process.execPath, [...lint, 'lint', 'openapi.yaml', '--generate-ignore-file'], {
    cwd: path.dirname(file),
  });
  expect(connections).toBe(0);
}, 120_000);

test('the pages of a service show addresses of its contract, and load nothing from them', async () => {
  const contract = contractOf(parseContract(withAddress(address)), NAMES);
  const service = await startForCheck(contract, {
    dataDir: newFolder(),
    handlerOf: () => () => ({ status: 200 }),
  });
  try {
    for (const page of ['/docs', '/docs.md', '/openapi.json', '/openapi.yaml']) {
      const response = await fetch(service.origin + page);
      const shown = await response.text();
      expect([page, response.status]).toEqual([page, 200]);
      // The policy of the page blocks images of other hosts.
      expect(shown).not.toMatch(/<(script|link|iframe)[^>]*127\.0\.0\.1/);
      if (page !== '/docs') continue;
      const policy = response.headers.get('Content-Security-Policy') ?? '';
      expect(policy).toMatch(/default-src 'none'/);
      expect(policy).toMatch(/img-src 'self'(;|$)/);
    }
  } finally {
    await service.stop();
  }
  expect(connections).toBe(0);
});

const REFERENCES: readonly (readonly [what: string, change: (url: string) => object])[] = [
  ['a schema', ($ref) => ({ components: { schemas: { Item: { $ref } } } })],
  ['a property', ($ref) => ({ components: { schemas: { Item: { properties: { a: { $ref } } } } } })],
  ['a response', ($ref) => ({ components: { responses: { Item: { $ref } } } })],
  ['a parameter', ($ref) => ({ components: { parameters: { Item: { $ref } } } })],
  ['a header', ($ref) => ({ components: { headers: { Item: { $ref } } } })],
  ['an example', ($ref) => ({ components: { examples: { Item: { $ref } } } })],
  ['a request body', ($ref) => ({ components: { requestBodies: { Item: { $ref } } } })],
  ['a security scheme', ($ref) => ({ components: { securitySchemes: { Item: { $ref } } } })],
  ['a path item', ($ref) => ({ paths: { '/items': { $ref } } })],
];

test.each(REFERENCES)(
  'a reference to an address is refused without a connection: %s',
  async (_what, change) => {
    const base = {
      openapi: '3.1.0',
      info: { title: 'A', version: '1' },
      paths: { '/a': { get: { responses: {} } } },
    };
    for (const url of [address, address.replace('http:', ''), `${address}/item.yaml#/Item`]) {
      const { lines } = await checkFile(fileWith(JSON.stringify({ ...base, ...change(url) })));
      expect(lines.join('\n')).toContain(
        `the reference cannot be followed (${url}): nothing is fetched from the network`,
      );
    }
    expect(connections).toBe(0);
  },
);

const SHARED = 'Item: { type: string }\n';
const referring = (reference: string) =>
  `openapi: 3.1.0
info: { title: A, version: '1' }
paths: { /a: { get: { responses: { '200': { description: A., content: { application/json: { schema: { $ref: '${reference}' } } } } } } } }
`;

test.each([
  ['..', '../common.yaml#/Item'],
  ['.. in the middle', 'schemas/../../common.yaml#/Item'],
  ['an encoded ..', '%2e%2e/common.yaml#/Item'],
  ['a link', 'linked.yaml#/Item'],
  ['a link to a folder', 'folder/common.yaml#/Item'],
])('a file outside the folder of the contract is read only below --root: %s', async (_what, reference) => {
  const above = newFolder();
  const folder = path.join(above, 'api');
  mkdirSync(folder);
  writeFileSync(path.join(above, 'common.yaml'), SHARED);
  symlinkSync(path.join(above, 'common.yaml'), path.join(folder, 'linked.yaml'));
  symlinkSync(above, path.join(folder, 'folder'));
  const file = path.join(folder, 'openapi.yaml');
  writeFileSync(file, referring(reference));
  const advice = 'leads out of the folder of the contract: add --root DIR, a folder that has both';
  const quick = { isQuick: true };
  expect((await checkFile(file, quick)).lines.join('\n')).toContain(advice);
  const { lines } = await checkFile(file, { ...quick, root: above });
  expect(lines).toEqual([`${file}: can be generated from; nothing was tried`]);
  expect((await checkFile(file, { ...quick, root: folder })).works).toBe(false);
});
