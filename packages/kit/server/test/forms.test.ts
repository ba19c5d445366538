import { contractFrom, idsIn } from '@contract-kit/test-support/contracts';
import { defineService } from '../src/index.ts';
import type { AnyHandler } from '../src/pipeline/dispatch.ts';
import { connectRaw, responsesIn, sendRaw } from '../src/testing/raw.ts';
import { shared } from '@contract-kit/test-support/testing';
import { createTestTools } from './support/tools.ts';

/*
 * Forms as no browser sends them, to operations that are open to everyone. Whatever a request has, it gets one response,
 * and the process serves the next one: Jest fails a test with an uncaught error.
 */

const FORM = `
      security: []
      x-body-limit: 1000000
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              properties:
                text: { type: string }
                count: { type: integer }
                tags: { type: array, items: { type: string } }
                place: { type: object, properties: { x: { type: integer } } }
                file: { type: string, format: binary }
                note: { type: [string, 'null'], format: binary }
                any: {}
          application/x-www-form-urlencoded: { schema: { type: object } }
      responses: { '200': { description: What arrived., content: { application/json: {} } } }`;

const contract = contractFrom(`openapi: 3.1.0
info: { title: Forms, version: 1.0.0 }
paths:
  /forms:${['post', 'put', 'patch', 'delete'].map((method) => `\n    ${method}:\n      operationId: ${method}Form${FORM}`).join('')}
  /texts:
    put:
      operationId: putText
      requestBody: { required: true, content: { text/*: { schema: { type: string } } } }
      responses: { '200': { description: What arrived., content: { application/json: {} } } }
  /pictures:
    put:
      operationId: putPicture
      requestBody: { required: true, content: { image/*: {} } }
      responses: { '200': { description: What arrived., content: { application/json: {} } } }
`);

/** A body with its files as lists of their name, type and content. */
async function shown(value: unknown): Promise<unknown> {
  if (value instanceof File)
    return [value.name, value.type, Buffer.from(await value.arrayBuffer()).toString('latin1')];
  if (Array.isArray(value)) return Promise.all(value.map(shown));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    await Promise.all(Object.entries(value).map(async ([name, item]) => [name, await shown(item)] as const)),
  );
}

const echo: AnyHandler = async ({ body }) => ({ status: 200, body: await shown(body) });
const handlers = Object.fromEntries(idsIn(contract).map((id) => [id, echo]));
const { startTestService } = createTestTools(
  defineService(
    contract,
    { forms: { open: () => ({}), handlers: () => handlers } },
    { version: '1.0.0', description: 'Forms.' },
  ),
);
const service = shared(() => startTestService({ env: { MAX_CONNECTIONS: '1000' } }));

const MULTIPART = 'multipart/form-data; boundary=b';
const URL_ENCODED = 'application/x-www-form-urlencoded';
const disposition = (parameters: string) => `Content-Disposition: form-data; ${parameters}`;
const part = (head: string, content = 'x') => `--b\r\n${head}\r\n\r\n${content}\r\n`;
const field = (name: string, content?: string) => part(disposition(`name=${name}`), content);
const formOf = (...parts: string[]) => `${parts.join('')}--b--\r\n`;

/** All is latin1: a character is a byte. */
const request = (body: string, { type = MULTIPART, method = 'POST', path = '/forms', more = '' } = {}) =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;
const LAST = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

/** The responses to requests on one connection. A request after them proves that each got exactly one. */
async function responsesTo(...requests: string[]): Promise<Response[]> {
  const responses = responsesIn(await sendRaw(service.origin, ...requests, LAST));
  expect(responses).toHaveLength(requests.length + 1);
  expect(responses.pop()?.status).toBe(200);
  return responses;
}

async function responseTo(...sent: Parameters<typeof request>): Promise<[status: number, body: unknown]> {
  const [response] = await responsesTo(request(...sent));
  return [response?.status ?? 0, await response?.json()];
}

const whole = formOf(
  field('text', 'some text'),
  part(disposition('name="file"; filename="a.png"') + '\r\nContent-Type: image/png', '\x89PNG'),
  part(disposition('name=place; filename=place.json') + '\r\nContent-Type: application/json', '{"x":1}'),
  field('tags', 'a'),
  field('tags', 'b'),
);
/** Its last line break may be missing. */
const NEEDED = whole.length - 2;
const cuts = Array.from({ length: NEEDED }, (_, length) => whole.slice(0, length));

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];

test('a form that is cut at any byte gets 400, and the connection serves the next request', async () => {
  const sent = cuts.map((cut, index) => request(cut, { method: METHODS[index % METHODS.length] }));
  const responses = await responsesTo(...sent);
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([400]));
});

test.each(METHODS)('a whole form of a %s arrives as it was sent', async (method) => {
  const received = {
    ...{ text: 'some text', file: ['a.png', 'image/png', '\x89PNG'] },
    ...{ place: { x: 1 }, tags: ['a', 'b'] },
  };
  expect(await responseTo(whole, { method })).toEqual([200, received]);
});

test('a client that leaves at any byte of a form leaves the service as it was', async () => {
  const inChunks = `POST /forms HTTP/1.1\r\nHost: a\r\nContent-Type: ${MULTIPART}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const size = `${whole.length.toString(16)}\r\n`;
  for (const [index, cut] of cuts.entries()) {
    const socket = connectRaw(service.origin).resume();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const sent = index % 2 === 0 ? request(whole).slice(0, cut.length - whole.length) : inChunks + size + cut;
    // Half of the clients reset the connection, the others close it.
    if (index % 4 < 2) socket.end(sent, 'latin1');
    else socket.write(sent, 'latin1', () => socket.resetAndDestroy());
    await closed;
  }
  expect((await responseTo(whole))[0]).toBe(200);
});

test('a header of a part that is damaged at any byte gets a response, and no field is left out', async () => {
  const heads = [...whole.matchAll(/(?<=--b\r\n).*?(?=\r\n\r\n)/gs)];
  const damaged = heads.flatMap(({ index, 0: head }) =>
    Array.from({ length: head.length }, (_, offset) =>
      ['', '"', '\0'].map((byte) => whole.slice(0, index + offset) + byte + whole.slice(index + offset + 1)),
    ).flat(),
  );
  for (const response of await responsesTo(...damaged.map((body) => request(body)))) {
    expect([200, 400]).toContain(response.status);
    const body = (await response.json()) as object;
    if (response.status === 200) expect(Object.values(body).flat().length).toBeGreaterThanOrEqual(7);
  }
});

const FILE = disposition('name=file; filename=a');
const BIG = 'y'.repeat(300_000);
const INVALID = 'The body must be a valid form: ';
const NO_NAME = `${INVALID}each part must have \`Content-Disposition: form-data\` with a name.`;
const NO_TEXT = 'text must be text in UTF-8, or in the charset of its part.';

test.each([
  [
    'no text before a large file',
    formOf(part(disposition('name=text; filename=a'), '\xff\xfe'), part(FILE, BIG)),
    NO_TEXT,
  ],
  [
    'no text after a large file',
    formOf(part(FILE, BIG), field('text', '\xff\xfe'), field('any', BIG)),
    NO_TEXT,
  ],
  ['a part without a name', formOf(part('Content-Disposition: form-data')), NO_NAME],
  ['a file without a name', formOf(part(disposition('filename=a'))), NO_NAME],
  ['a name that only RFC 8187 knows', formOf(part(disposition("name*=UTF-8''text"))), NO_NAME],
  ['a part without a disposition', formOf(part('X-Y: z'), field('text')), NO_NAME],
  ['a part without headers', formOf('--b\r\n\r\nx\r\n'), NO_NAME],
  ['a part that is no field', formOf(part('Content-Disposition: attachment; name=text')), NO_NAME],
  ['a quote that does not end', formOf(part(disposition('name="text'))), NO_NAME],
  ['two names', formOf(part(disposition('name=text; name=count'))), NO_NAME],
  [
    'two dispositions',
    formOf(part(`${disposition('name=text')}\r\n${disposition('name=count')}`)),
    `${INVALID}a part has two headers Content-Disposition.`,
  ],
  [
    'a header without a colon',
    formOf(part(`${disposition('name=text')}\r\nX`)),
    `${INVALID}a part has a header that cannot be read.`,
  ],
  ['a name that is no text', formOf(part(disposition('name="\xff"'))), 'The body must be text in UTF-8.'],
  [
    'an unknown charset',
    formOf(part(`${disposition('name=text')}\r\nContent-Type: text/plain; charset=__proto__`)),
    NO_TEXT,
  ],
  [
    'a part in base64',
    formOf(part(`${FILE}\r\nContent-Transfer-Encoding: base64`, 'eA==')),
    `${INVALID}a part must not be encoded.`,
  ],
  [
    'a part of no media type',
    formOf(part(`${FILE}\r\nContent-Type: image/"a`)),
    `${INVALID}the Content-Type of a part is no media type.`,
  ],
  [
    'long headers',
    formOf(part(`X: ${'a'.repeat(20_000)}\r\n${disposition('name=text')}`)),
    `${INVALID}the headers of a part must have at most 16384 bytes.`,
  ],
  [
    'a boundary in a content',
    formOf(field('text', 'a\r\n--but')),
    `${INVALID}a line that begins with its boundary must have no more, and end with CRLF.`,
  ],
  ['too many parts', formOf(field('tags').repeat(1_001)), `${INVALID}it must have at most 1000 parts.`],
  [
    'too many files that were not chosen',
    formOf(
      part(`${disposition('name=a; filename=""')}\r\nContent-Type: application/octet-stream`, '').repeat(
        1_001,
      ),
    ),
    `${INVALID}it must have at most 1000 parts.`,
  ],
  ['a field twice', formOf(field('text'), field('text')), 'text is sent twice.'],
  ['JSON that is cut', formOf(field('place', '{"x":')), 'place must be JSON.'],
  ['nothing', '\r\n', `${INVALID}its last boundary is missing.`],
])('a form with %s gets 400 that says so', async (_, body, message) => {
  expect(await responseTo(body)).toEqual([400, { code: 'invalid_request', message, status: 400 }]);
});

test.each([
  ['boundary=', 400],
  ['boundary=""', 400],
  [`boundary=${'b'.repeat(71)}`, 400],
  ['charset=utf-8', 400],
  ['boundary="b', 415],
  ['boundary=b; boundary=c', 415],
  ['boundary=b, text/html', 415],
])('a form with %s gets %d', async (parameters, status) => {
  const [actual] = await responseTo(whole, { type: `multipart/form-data; ${parameters}` });
  expect(actual).toBe(status);
});

test.each([
  ['a preamble and an epilogue', `before\r\n${formOf(field('text'))}after\r\n--b\r\nafter`, { text: 'x' }],
  ['spaces after a boundary', formOf(field('text')).replace('--b\r', '--b \t\r'), { text: 'x' }],
  ['a header in two lines', formOf(part('content-disposition:form-data;\r\n\tname=text')), { text: 'x' }],
  [
    'other headers, one of them twice',
    formOf(part(`X: a\r\nX: b\r\n${disposition('name=text')}`)),
    { text: 'x' },
  ],
  [
    'text in the charset of its part',
    formOf(part(`${disposition('name=text')}\r\nContent-Type: text/plain; charset=ISO-8859-1`, '\xe9')),
    { text: 'é' },
  ],
  ['bytes without a filename', formOf(field('file', '\xff\xfe')), { file: ['', 'text/plain', '\xff\xfe'] }],
  ['an empty part for a file that may be null', formOf(field('note', '')), { note: null }],
  ['a boundary within a line', formOf(field('text', 'a--b--')), { text: 'a--b--' }],
  [
    'a name in UTF-8 that wins',
    formOf(part(disposition("name=file; filename=a; filename*=utf-8''%E2%82%AC"))),
    { file: ['€', 'text/plain', 'x'] },
  ],
  [
    'a name that cannot be decoded',
    formOf(part(disposition("name=file; filename=a; filename*=UTF-8''%FF"))),
    { file: ['a', 'text/plain', 'x'] },
  ],
  [
    'a name that is a folder',
    formOf(part(disposition('name=file; filename="../.."'))),
    { file: ['', 'text/plain', 'x'] },
  ],
  [
    'names of every object',
    formOf(
      field('__proto__', '1'),
      field('constructor', '2'),
      part(disposition('name=toString; filename=__proto__')),
    ),
    { ['__proto__']: '1', constructor: '2', toString: ['__proto__', 'text/plain', 'x'] },
  ],
  [
    'parts in a part',
    formOf(
      part(`${disposition('name=any; filename=a')}\r\nContent-Type: multipart/mixed; boundary=c`, '--c--'),
    ),
    { any: ['a', 'multipart/mixed', '--c--'] },
  ],
  [
    'as many parts as possible',
    formOf(field('tags').repeat(1_000)),
    { tags: Array.from({ length: 1_000 }, () => 'x') },
  ],
  ['no parts', '--b--', {}],
])('a form with %s is right', async (_, body, received) => {
  expect(await responseTo(body)).toEqual([200, received]);
});

const NOT_ENCODED = 'The body is not percent-encoded correctly (RFC 3986 §2.1).';

test.each([
  ['text=%', NOT_ENCODED],
  ['text=%f', NOT_ENCODED],
  ['text=%zz', NOT_ENCODED],
  ['%ff=a', NOT_ENCODED],
  ['text=%ed%a0%80', NOT_ENCODED],
  ['text=\xff', 'The body must be text in UTF-8.'],
  ['&'.repeat(1_000), 'A form must have at most 1000 fields.'],
  ['a=1&a=2', 'a is sent twice.'],
])('a form in a URL gets 400: %j', async (body, message) => {
  expect(await responseTo(body, { type: URL_ENCODED })).toEqual([
    400,
    { code: 'invalid_request', message, status: 400 },
  ]);
});

test.each([
  ['text=a+b%2B%26=&&=c&d', URL_ENCODED, { text: 'a b+&=', '': 'c', d: '' }],
  // As curl sends it.
  ['text=\xc3\xa9', URL_ENCODED, { text: 'é' }],
  ['text=%C3%A9', `${URL_ENCODED}; charset=unknown`, { text: 'é' }],
  ['__proto__=1&constructor=2', URL_ENCODED, { ['__proto__']: '1', constructor: '2' }],
])('a form in a URL is right: %j as %s', async (body, type, received) => {
  expect(await responseTo(body, { type })).toEqual([200, received]);
});

test('a form that is encoded or announced gets its response', async () => {
  const [encoded] = await responsesTo(request(whole, { more: 'Content-Encoding: gzip\r\n' }));
  expect(encoded?.status).toBe(415);
  const text = await sendRaw(
    service.origin,
    request(whole, { more: 'Expect: 100-continue\r\nConnection: close\r\n' }),
  );
  expect(text).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n/);
});

test.each([
  'image/"a',
  'image/',
  'image/*',
  '*/*',
  'image/a b',
  'image/png, text/html',
  'image/png;, text/html',
  'image/png/x',
  '/png',
  'image/\xe9',
])('a body of %j, which is no media type, gets 415 from an operation that takes image/*', async (type) => {
  const [status] = await responseTo('x', { type, method: 'PUT', path: '/pictures' });
  expect(status).toBe(415);
});

test.each(['image/png', 'IMAGE/X.Y+Z; a=b;c="d, e"', 'image/vnd.a;'])(
  'a body of %j is of image/*',
  async (type) => {
    const [status] = await responseTo('x', { type, method: 'PUT', path: '/pictures' });
    expect(status).toBe(200);
  },
);

const NOT_IN_CHARSET = 'The body must be text in UTF-8, or in its charset.';

test.each([
  ['text/plain', '\xc3\xa9', [200, 'é']],
  ['text/plain', '\xe9', [400, NOT_IN_CHARSET]],
  ['text/plain; charset=iso-8859-1', '\xe9', [200, 'é']],
  ['text/plain; charset="UTF-16LE"', 'h\0i\0', [200, 'hi']],
  ['text/plain; charset=utf-16le', 'h\0i', [400, NOT_IN_CHARSET]],
  ['text/plain; charset=__proto__', 'x', [400, NOT_IN_CHARSET]],
  ['text/plain; charset=', 'x', [400, NOT_IN_CHARSET]],
] as const)('a text of the type %s is read in its charset: %j', async (type, sent, [status, expected]) => {
  const response = await responseTo(sent, { type, method: 'PUT', path: '/texts' });
  expect(response).toEqual([
    status,
    status === 200 ? expected : { code: 'invalid_request', message: expected, status },
  ]);
});
