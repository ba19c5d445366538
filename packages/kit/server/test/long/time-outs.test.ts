import { setTimeout as sleep } from 'node:timers/promises';
import { block } from '../support/block.ts';
import type { Express } from 'express';
import { shared, until } from '@contract-kit/test-support/testing';
import { responseTo, connectRaw, sendRaw } from '../../src/testing/raw.ts';
import { library } from '../library/library.ts';
import { addManyLoans, sharedService, expectError } from '../library/service.ts';
import { createTestTools } from '../support/tools.ts';

const service = sharedService();

/** One whose handler and route never respond. */
const silent = shared(async () => {
  const extend = (app: Express) => app.get('/mine/:id', () => undefined);
  const handlers = { listLoans: () => new Promise(() => undefined) };
  const started = await createTestTools({ ...library, extend }).startTestService({ handlers });
  return { ...started, suiteKey: await started.unlimitedKey() };
});

const CANCEL = 'DELETE /v1/loans/1 HTTP/1.1\r\nHost: x\r\n';

beforeAll(() => addManyLoans(service.dataDir));

// These wait for real time-outs, in parallel.
test.concurrent.each([
  ['half a request line', 'GET /v1/store', ''],
  ['half the headers', CANCEL, ''],
  ['half a body', CANCEL, 'Content-Length: 5\r\n\r\nab'],
  ['half of the chunks', CANCEL, 'Transfer-Encoding: chunked\r\n\r\n5\r\nab'],
])('%s gets 408 within 15 seconds, changes nothing, and closes the connection', async (_, head, rest) => {
  const authorization = head === CANCEL ? `Authorization: Bearer ${service.suiteKey}\r\n` : '';
  const response = await responseTo(service.origin, head + authorization + rest);
  expect(response.headers.get('connection')).toBe('close');
  await expectError(response, 'request_timeout');
  expect(await service.cancelled()).toEqual([]);
});

test.concurrent('half a body gets 408 even if the event loop is busy when it times out', async () => {
  const authorization = `Authorization: Bearer ${service.suiteKey}\r\n`;
  const answer = responseTo(service.origin, `${CANCEL}${authorization}Content-Length: 5\r\n\r\nab`);
  await sleep(11_500);
  // Longer than the time-out of the idle socket.
  block(4_000);
  await expectError(await answer, 'request_timeout');
});

test.concurrent('a connection without a request is closed without a response', async () => {
  expect(await sendRaw(service.origin, '')).toMatch(/^(HTTP\/1\.1 408 |$)/);
});

test.concurrent('cuts a stalled reader within 30 seconds', async () => {
  const socket = connectRaw(service.origin);
  socket.write(
    'GET /v1/loans HTTP/1.1\r\nHost: x\r\nX-Request-Id: stalled\r\n' +
      `Authorization: Bearer ${service.suiteKey}\r\n\r\n`,
  );
  const isCut = () =>
    service.logged.some((line) => line['requestId'] === 'stalled' && line['status'] === 499);
  await until(isCut);
  socket.destroy();
});

test.concurrent.each([
  ['a response that keeps the connection', 'POST /v1/nothing'],
  ['a response that closes it', 'GET /docs'],
])('cuts a client that sends the rest of its request slowly after %s', async (_, line) => {
  const socket = connectRaw(service.origin).resume();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(`${line} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n`);
  const sending = setInterval(() => socket.write('a'), 500);
  await closed;
  clearInterval(sending);
});

test.concurrent.each([
  ['a handler that never responds', '/v1/loans', { operationId: 'listLoans' }],
  ['an own route that never responds', '/mine/7', { route: '/mine/:id' }],
])('the log names %s, when the service or its client closes the connection', async (_, target, named) => {
  const request = `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${silent.suiteKey}\r\n\r\n`;
  const warnings = () =>
    silent.logged.filter(
      (line) => line['level'] === 40 && Object.entries(named).every(([name, value]) => line[name] === value),
    );
  // As nginx does.
  const socket = connectRaw(silent.origin);
  socket.write(request);
  await sleep(7_000);
  socket.destroy();
  await until(() => warnings().length === 1);
  expect(await sendRaw(silent.origin, request)).toBe('');
  await until(() => warnings().length === 2);
  for (const { msg } of warnings())
    expect(msg).toMatch(/^no response in \d+ s, then the connection was closed$/);
});
