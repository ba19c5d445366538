import { startForCheck } from '../src/checking.ts';
import type { AnyHandler } from '../src/pipeline/dispatch.ts';
import type { ErrorFacts } from '@contract-kit/core/errors';
import { contractFrom } from '@contract-kit/test-support/contracts';
import { newFolder } from '@contract-kit/test-support/testing';

const CONTRACT = `openapi: 3.1.0
info: { title: Short, version: '1.0' }
paths:
  /{code}:
    get:
      parameters: [{ name: code, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: Found, content: { text/plain: { schema: { type: string } } } } }
  /reports/all:
    get:
      operationId: report
      responses:
        '200':
          description: A report.
          content:
            application/json: { schema: { type: object } }
            image/png: { schema: { type: string, format: binary } }
            image/jpeg: { schema: { type: string, format: binary } }
            text/csv: { schema: { type: string } }
    post:
      requestBody:
        required: true
        content:
          application/json:
            schema: { type: object, required: [a], properties: { a: { type: string }, b: { type: integer } } }
      responses: { '204': { description: Done. } }
`;

/** The next response of every handler, and the last error. */
let answer: unknown;
let failed: ErrorFacts | undefined;
let service: Awaited<ReturnType<typeof startForCheck>>;

beforeAll(async () => {
  service = await startForCheck(contractFrom(CONTRACT), {
    dataDir: newFolder(),
    handlerOf: () => (() => answer) as AnyHandler,
    errorBody: (error) => {
      failed = error;
      const { code, message, status } = error;
      return { code, message, status };
    },
  });
});

afterAll(() => service.stop());

test.each(['/docs', '/openapi.json', '/healthz', '/readyz', '/metrics'])(
  'a parameter at the root does not take %s',
  async (page) => {
    answer = { status: 200, body: 'of the handler' };
    expect(await (await fetch(service.origin + page)).text()).not.toBe('of the handler');
    expect(await (await fetch(`${service.origin}/other`)).text()).toBe('of the handler');
  },
);

const bytes = new Uint8Array([1]);

test.each([
  ['text/csv', {}, 'application/json; charset=utf-8'],
  ['text/csv', 'a,b', 'text/csv; charset=utf-8'],
  ['image/jpeg, image/png;q=0.5', bytes, 'image/jpeg'],
  ['image/*;q=0.1, image/png', bytes, 'image/png'],
  [undefined, bytes, 'image/png'],
])('Accept: %s chooses among the media types that fit the body', async (accept, body, type) => {
  answer = { status: 200, body };
  const headers: Record<string, string> = accept === undefined ? {} : { accept };
  const response = await fetch(`${service.origin}/reports/all`, { headers });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
});

test('the media type that the handler names is sent, and an undeclared one is not', async () => {
  answer = { status: 200, headers: { 'Content-Type': 'image/jpeg' }, body: bytes };
  expect((await fetch(`${service.origin}/reports/all`)).headers.get('content-type')).toBe('image/jpeg');
  answer = { status: 200, headers: { 'Content-Type': 'image/gif' }, body: bytes };
  expect((await fetch(`${service.origin}/reports/all`)).status).toBe(500);
});

test('an error names the first violation, and has all with their pointers', async () => {
  const response = await fetch(`${service.origin}/reports/all`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"a":1,"b":"x"}',
  });
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { message: 'body/a must be string, and 1 more violation.' },
  ]);
  expect(failed?.violations).toEqual([
    { in: 'body', pointer: '/a', steps: ['a'], message: 'must be string' },
    { in: 'body', pointer: '/b', steps: ['b'], message: 'must be integer' },
  ]);
});
