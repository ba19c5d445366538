import { once } from 'node:events';
import { openSqlite } from '../src/database/sqlite/driver.ts';
import { rateLimitIn, until } from '@contract-kit/test-support/testing';
import { responseTo, connectRaw, responsesIn, sendRaw } from '../src/testing/raw.ts';
import { sharedService, startTestService, numbered, filesIn, expectError } from './library/service.ts';

const service = sharedService();
let authorization: string;

/** The only loan that is cancelled here. */
const LAST = 50;

beforeAll(async () => {
  authorization = `Authorization: Bearer ${service.suiteKey}\r\n`;
  await service.addLoans(numbered(LAST));
});

const GET = 'GET /v1/loans HTTP/1.1\r\nHost: x\r\n';
const CANCEL = 'DELETE /v1/loans/1 HTTP/1.1\r\nHost: x\r\n';
const CHUNKED = `${CANCEL}Transfer-Encoding: chunked\r\n\r\n`;

/** Sends `bytes`, and expects exactly one refusal and a closed connection. */
async function expectRefused(code: string, ...bytes: string[]): Promise<void> {
  const response = await responseTo(service.origin, ...bytes);
  expect(response.headers.get('connection')).toBe('close');
  await expectError(response, code);
}

async function expectNothingCancelled(): Promise<void> {
  expect((await service.cancelled()).filter((id) => id !== LAST)).toEqual([]);
}

test.each([
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['a space before the colon', `${GET}X-A : b\r\n\r\n`],
  ['a folded header', `${GET}X-A: b\r\n c\r\n\r\n`],
  ['a bare CR in a header', `${GET}X-A: b\rX-B: c\r\n\r\n`],
  ['two Content-Lengths', `${CANCEL}Content-Length: 0\r\nContent-Length: 5\r\n\r\n`],
  ['Content-Length and chunks', `${CANCEL}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ['an unknown Transfer-Encoding', `${CANCEL}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
  ['another Transfer-Encoding before chunks', `${CANCEL}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
  ['no Host', 'DELETE /v1/loans/1 HTTP/1.1\r\n\r\n'],
  ['two Hosts', `${CANCEL}Host: b\r\n\r\n`],
  ['a Host with a space', 'DELETE /v1/loans/1 HTTP/1.1\r\nHost: a b\r\n\r\n'],
  ['a Host with a path', 'DELETE /v1/loans/1 HTTP/1.1\r\nHost: a/b\r\n\r\n'],
  ['HTTP/2.0 in a request line', 'DELETE /v1/loans/1 HTTP/2.0\r\nHost: x\r\n\r\n'],
  ['HTTP/1.0 with chunks', 'DELETE /v1/loans/1 HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ['a chunk that ends in a bare LF', `${CHUNKED}2\nab\n0\n\n`],
  ['a broken chunk after a good one', `${CHUNKED}2\r\nab\r\nzz\r\n`],
  ['a body that nobody asked for, of 200 kB', `${CANCEL}Content-Length: 200000\r\n\r\n`],
  ['the same in chunks', `${CHUNKED}30d40\r\n${'a'.repeat(200_000)}\r\n0\r\n\r\n`],
])('%s gets 400 with an Error object, changes nothing, and closes the connection', async (_, bytes) => {
  await expectRefused('invalid_request', bytes.replace('\r\n\r\n', `\r\n${authorization}\r\n`));
  await expectRefused('invalid_request', bytes);
  await expectNothingCancelled();
});

test.each([
  ['a second Host', 'Host: y'],
  ['a second Authorization', 'Authorization: Bearer other'],
  ['an unknown Transfer-Encoding', 'Transfer-Encoding: xchunked'],
])('%s is found after any number of headers', async (_, header) => {
  const others = 'a:\r\n'.repeat(2_500);
  const request = `${CANCEL}Connection: close\r\n${authorization}${others}${header}\r\n\r\n`;
  await expectError(await responseTo(service.origin, request), 'invalid_request');
  await expectNothingCancelled();
});

test('lines that end in a bare LF are rejected or read as lines', async () => {
  const { status } = await responseTo(service.origin, 'GET /v1 HTTP/1.1\nHost: x\nConnection: close\n\n');
  expect([400, 404]).toContain(status);
});

test.each<[what: string, code: string, header: string, target?: string]>([
  ['20 kB of headers', 'request_header_fields_too_large', `X-A: ${'a'.repeat(20_000)}`],
  ['a target of 20 kB', 'request_header_fields_too_large', 'X-A: b', `?${'a'.repeat(20_000)}`],
  ['an expectation that cannot be met', 'expectation_failed', 'Expect: tea'],
])('%s gets %s, and changes nothing', async (_, code, header, target = '') => {
  await expectRefused(code, `${CANCEL.replace(' HTTP', `${target} HTTP`)}${authorization}${header}\r\n\r\n`);
  await expectNothingCancelled();
});

test('a client that is still sending gets the whole response', async () => {
  const endless = `${CANCEL}${authorization}X-A: ${'a'.repeat(5_000_000)}\r\n\r\n`;
  for (let index = 0; index < 10; index += 1) await expectRefused('request_header_fields_too_large', endless);
});

test.each(['text/plain', 'application/json'])(
  'two Content-Types, application/json and %s, are 400: the first must not count, nor the last',
  async (second) => {
    const types = `Content-Type: application/json\r\ncontent-type: ${second}\r\n`;
    const request = `POST /v1/loans HTTP/1.1\r\nHost: x\r\n${authorization}${types}Connection: close\r\n`;
    const response = await responseTo(service.origin, `${request}Content-Length: 13\r\n\r\n{"bookId":12}`);
    await expectError(response, 'invalid_request');
  },
);

test('CONNECT is 405 with Allow', async () => {
  const request = 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n';
  const response = await responseTo(service.origin, request);
  expect(response.headers.has('allow')).toBe(true);
  await expectError(response, 'method_not_allowed');
});

test('an upgrade is ignored, and the request is served', async () => {
  const request = `${GET}${authorization}Connection: close, Upgrade\r\nUpgrade: websocket\r\n\r\n`;
  expect((await responseTo(service.origin, request)).status).toBe(200);
});

test('a broken request is not counted, but its response shows the limits of the address', async () => {
  const remaining = async () => rateLimitIn((await responseTo(service.origin, 'hello\r\n\r\n')).headers);
  const first = await remaining();
  expect(first.limit).toBe(60);
  expect(await remaining()).toEqual(first);
});

test('closes a connection with 10,000 waiting requests, but serves 2,000 on others', async () => {
  const stalled = await startTestService({
    handlers: { listLoans: () => new Promise<never>(() => undefined) },
  });
  const auth = `Authorization: Bearer ${await stalled.key('pro')}\r\n`;
  await sendRaw(
    stalled.origin,
    `${GET}${auth}\r\n`,
    `GET /v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(10_001),
  );
  const metrics = await (await stalled.request('/metrics')).text();
  expect(metrics).toContain('\nlibrary_refused_connections_total 1\n');
  // The dropped requests no longer count.
  const request = 'GET /v1/nothing HTTP/1.1\r\nHost: x\r\n';
  const pipelined = `${request}\r\n`.repeat(1_999);
  const raw = await sendRaw(stalled.origin, pipelined, `${request}Connection: close\r\n\r\n`);
  expect(responsesIn(raw)).toHaveLength(2_000);
});

test('junk after a valid request does not replace its response', async () => {
  const raw = await sendRaw(service.origin, `${GET}${authorization}\r\njunk\r\n\r\n`);
  const [first, second] = responsesIn(raw);
  expect(first?.status).toBe(200);
  await expectError(second ?? new Response(), 'invalid_request');
});

test('junk during a request gets one response, after that of the request', async () => {
  const lock = openSqlite(filesIn(service.dataDir).store);
  lock.exec('BEGIN IMMEDIATE');
  const socket = connectRaw(service.origin);
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk));
  socket.write(`DELETE /v1/loans/${LAST} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`);
  for (let index = 0; index < 5; index += 1) {
    socket.write('junk\r\n\r\n');
    // Otherwise the pieces are read as one.
    await service.request('/healthz');
  }
  expect(received).toBe('');
  lock.close();
  await once(socket, 'close');
  expect(responsesIn(received).map(({ status }) => status)).toEqual([204, 400]);
});

test.each([
  ['in its headers', ''],
  ['in its body', 'Content-Length: 5\r\n\r\nab'],
  ['in a chunk', 'Transfer-Encoding: chunked\r\n\r\n5\r\nab'],
])('a request that breaks off %s changes nothing, and the service keeps working', async (_, rest) => {
  const socket = connectRaw(service.origin).resume();
  socket.end(`${CANCEL}${authorization}${rest}`);
  await once(socket, 'close');
  expect((await service.list(service.suiteKey)).status).toBe(200);
  await expectNothingCancelled();
});

test('a body of 2,000 chunks of one byte is as small as one of 2,000 bytes', async () => {
  const chunks = `${'1\r\na\r\n'.repeat(2_000)}0\r\n\r\n`;
  const head = `${GET}${authorization}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
  // Also if the rest arrives after the key was found.
  for (const bytes of [[head + chunks], [head, chunks]])
    expect((await responseTo(service.origin, ...bytes)).status).toBe(200);
});

test('chunk extensions and trailers are read and ignored', async () => {
  const { status } = await responseTo(
    service.origin,
    `${GET}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n2;ext=1\r\nab\r\n0\r\n${authorization}\r\n`,
  );
  expect(status).toBe(401);
});

test('a client that resets its connection while junk is queued does not crash the service', async () => {
  let isAsked = false;
  const listLoans = () => {
    isAsked = true;
    return new Promise<never>(() => undefined);
  };
  const slow = await startTestService({ handlers: { listLoans } });
  const socket = connectRaw(slow.origin);
  socket.write(`${GET}Authorization: Bearer ${await slow.key()}\r\n\r\n`);
  await until(() => isAsked);
  socket.write('junk\r\n\r\n');
  // The junk must be read before the reset.
  for (let index = 0; index < 3; index += 1) await slow.request('/healthz');
  socket.resetAndDestroy();
  await until(() => slow.logged.some((line) => line['status'] === 499));
  // No client was left to get a refusal.
  expect(slow.logged.filter((line) => 'parserError' in line)).toEqual([]);
  expect((await slow.request('/healthz')).status).toBe(200);
});

test.each(['example.com:80', '[::1]:3000', 'xn--bcher-kva.example', ''])(
  'the Host %p is one',
  async (host) => {
    const request = `GET /v1 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    expect((await responseTo(service.origin, request)).status).toBe(404);
  },
);

test('a body is skipped, and never read as the next request', async () => {
  const smuggled = `DELETE /v1/loans/2 HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`;
  const raw = await sendRaw(
    service.origin,
    `${GET}${authorization}Content-Length: ${smuggled.length}\r\n\r\n${smuggled}` +
      `GET /v1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  );
  expect(responsesIn(raw).map(({ status }) => status)).toEqual([200, 404]);
  await expectNothingCancelled();
});
