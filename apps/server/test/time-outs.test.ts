import { expectError } from './support/expect.ts';
import { answerTo, connectRaw, sendRaw } from './support/raw.ts';
import { addManyOrders, sharedService } from './support/service.ts';
import { storedOrders } from './support/store.ts';
import { until } from './support/until.ts';

const service = sharedService();

beforeAll(() => addManyOrders(service.dataDir));

// These wait for the time-outs that clients meet, side by side.
test.concurrent.each([
  ['half a request line', () => 'GET /v1/store'],
  [
    'half the headers',
    () => `DELETE /v1/store/orders/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.ownKey}\r\n`,
  ],
])('%s is 408 within 10 seconds', async (_, bytes) => {
  const response = await answerTo(service.origin, bytes());
  expect(response.headers.get('connection')).toBe('close');
  await expectError(response, 'request_timeout');
});

test.concurrent.each([
  ['a body', 'Content-Length: 5\r\n\r\nab'],
  ['chunks', 'Transfer-Encoding: chunked\r\n\r\n5\r\nab'],
])('half of %s is 408 within 15 seconds, and nothing is done', async (_, rest) => {
  const head = `DELETE /v1/store/orders/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.ownKey}\r\n`;
  await expectError(await answerTo(service.origin, head + rest), 'request_timeout');
  expect(await storedOrders(service.store.orders, 'cancelled')).toEqual([]);
});

test.concurrent('a connection without a request is closed without a word', async () => {
  expect(await sendRaw(service.origin, '')).toMatch(/^(HTTP\/1\.1 408 |$)/);
});

test.concurrent('a reader that takes nothing is cut off within 30 seconds', async () => {
  const socket = connectRaw(service.origin).on('error', () => undefined);
  socket.write(
    'GET /v1/store/orders HTTP/1.1\r\nHost: x\r\nX-Request-Id: stalled\r\n' +
      `Authorization: Bearer ${service.ownKey}\r\n\r\n`,
  );
  const isCut = () =>
    service.logged.some((line) => line['requestId'] === 'stalled' && line['aborted'] === true);
  await until(isCut);
  socket.destroy();
});
