import { defineService } from '../src/index.ts';
import type { AnyHandler } from '../src/pipeline/dispatch.ts';
import { shared } from '@contract-kit/test-support/testing';
import { contractFrom, idsIn } from '@contract-kit/test-support/contracts';
import { createTestTools } from './support/tools.ts';

/* Which bodies a browser may run scripts of. A file keeps the type that whoever uploaded it has chosen. */

const bytes = '{ schema: { type: string, format: binary } }';
const text = '{ schema: { type: string } }';
const contract = contractFrom(`openapi: 3.1.0
info: { title: Files, version: 1.0.0 }
paths:
  /files:
    put:
      operationId: putFile
      requestBody: { required: true, content: { '*/*': ${bytes} } }
      responses: { '204': { description: Kept. } }
    get: { operationId: getFile, responses: { '200': { description: The file., content: { '*/*': ${bytes} } } } }
  /pictures:
    get: { operationId: getPicture, responses: { '200': { description: A picture., content: { image/*: {} } } } }
  /drawings:
    get:
      operationId: getDrawing
      responses:
        '200': { description: A drawing., content: { image/png: ${bytes}, image/svg+xml: ${bytes} } }
  /notes:
    get: { operationId: getNote, responses: { '200': { description: A note., content: { text/*: ${text} } } } }
  /page:
    get: { operationId: getPage, responses: { '200': { description: A page., content: { text/html: ${text} } } } }
`);

let file = new File([], '');
let returned: object = {};
const answer: AnyHandler = () => ({ status: 200, ...returned });
const keep: AnyHandler = ({ body }) => {
  file = body as File;
  return { status: 204 };
};
const handlers: Record<string, AnyHandler> = {
  ...Object.fromEntries(idsIn(contract).map((id) => [id, answer])),
  putFile: keep,
};
const service = shared(() =>
  createTestTools(
    defineService(
      contract,
      { files: { open: () => ({}), handlers: () => handlers } },
      { version: '1.0.0', description: 'Files.' },
    ),
  ).startTestService(),
);

async function policyOf(path: string, content: object, method = 'GET') {
  returned = content;
  const { status, headers } = await service.request(path, { method });
  return [status, headers.get('content-type'), headers.get('content-security-policy')];
}

test.each(['image/svg+xml', 'text/html', 'application/xhtml+xml; a=b', 'APPLICATION/XML', 'a/b'])(
  'a file that was uploaded as %s is in a sandbox',
  async (type) => {
    await service.request('/files', { method: 'PUT', headers: { 'content-type': type }, body: '<script/>' });
    for (const method of ['GET', 'HEAD'])
      expect(await policyOf('/files', { body: file }, method)).toEqual([
        200,
        expect.stringContaining(type.toLowerCase()),
        'sandbox',
      ]);
  },
);

const svg = (type = 'image/svg+xml') => new Blob(['<svg/>'], { type });

test.each<[what: string, path: string, content: object, policy: string | null]>([
  ['a Blob in a range', '/pictures', { body: svg() }, 'sandbox'],
  [
    'bytes in a range',
    '/pictures',
    { headers: { 'Content-Type': 'image/png' }, body: new Uint8Array(1) },
    'sandbox',
  ],
  ['a stream in a range', '/pictures', { body: svg().stream() }, 'sandbox'],
  ['a drawing of a declared type', '/drawings', { body: svg() }, 'sandbox'],
  [
    'a drawing as text',
    '/drawings',
    { headers: { 'Content-Type': 'image/svg+xml' }, body: '<svg/>' },
    'sandbox',
  ],
  ['a picture of a declared type', '/drawings', { body: svg('image/png') }, null],
  ['a text in a range', '/notes', { headers: { 'Content-Type': 'text/html' }, body: '<b>' }, 'sandbox'],
  ['a page of the service', '/page', { body: '<b>' }, null],
  ['a file as a page', '/page', { body: svg('text/html') }, 'sandbox'],
  ['JSON', '/files', { body: svg('application/json') }, null],
  ['PDF, which browsers would not show', '/files', { body: svg('application/pdf') }, null],
  [
    'a policy of the handler',
    '/pictures',
    { headers: { 'Content-Security-Policy': "default-src 'none'" }, body: svg() },
    "default-src 'none'",
  ],
])('%s: the policy', async (_, path, content, policy) => {
  const [status, , actual] = await policyOf(path, content);
  expect([status, actual]).toEqual([200, policy]);
});

test('an error has no policy', async () => {
  const { headers } = await service.request('/pictures?a=b');
  expect(headers.get('content-security-policy')).toBeNull();
});
