import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { finished, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@contract-kit/test-support/testing';
import { connectRaw } from '../src/testing/raw.ts';
import { sharedService } from './library/service.ts';

/* `getCover` responds with image/png. */

let answer: object | (() => Promise<object>) = { status: 204 };
const handler = (): unknown => (answer instanceof Function ? (answer as () => unknown)() : answer);
const service = sharedService({ handlers: { getCover: handler, createBook: handler } });

async function cover(body: unknown) {
  answer = { status: 200, body };
  const response = await service.request('/v1/books/7/cover', { key: service.suiteKey });
  const bytes = [...new Uint8Array(await response.arrayBuffer())];
  return { status: response.status, headers: response.headers, bytes };
}

const png = [137, 80, 78, 71];

test('sends a File with its type, its length, and its name to save it under', async () => {
  const { headers, bytes } = await cover(new File([new Uint8Array(png)], 'É "1".png', { type: 'image/png' }));
  expect(bytes).toEqual(png);
  expect(headers.get('content-type')).toBe('image/png');
  expect(headers.get('content-length')).toBe('4');
  expect(headers.get('content-disposition')).toBe(
    `attachment; filename="_ _1_.png"; filename*=UTF-8''%C3%89%20%221%22.png`,
  );
});

test('sends a Blob without a name, and keeps to the type of the contract', async () => {
  const { headers, bytes } = await cover(new Blob([new Uint8Array(png)], { type: 'text/html' }));
  expect(bytes).toEqual(png);
  expect(headers.get('content-type')).toBe('image/png');
  expect(headers.has('content-disposition')).toBe(false);
});

test.each([
  ['a stream of Node.js', () => Readable.from([Buffer.from(png.slice(0, 2)), Buffer.from(png.slice(2))])],
  ['a web stream', () => new Blob([new Uint8Array(png)]).stream()],
  [
    'an async generator',
    async function* () {
      yield await Promise.resolve(new Uint8Array(png));
    },
  ],
])('sends %s', async (_, stream) => {
  const { status, headers, bytes } = await cover(stream());
  expect([status, headers.get('content-type'), bytes]).toEqual([200, 'image/png', png]);
});

test('sends an error if a stream fails before its first byte', async () => {
  async function* failing() {
    yield await Promise.reject<Uint8Array>(new TypeError('the file is gone'));
  }
  expect((await cover(failing())).status).toBe(500);
});

/** Sends a request and leaves when the handler runs, which returns a stream after that. */
async function leave(made: () => object): Promise<void> {
  const id = randomUUID();
  const started = new Promise<void>((begin) => {
    answer = async () => {
      begin();
      await until(() => service.logged.some(({ requestId }) => requestId === id));
      return { status: 200, body: made() };
    };
  });
  const socket = connectRaw(service.origin);
  const head = `GET /v1/books/7/cover HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${id}\r\n`;
  socket.write(`${head}Authorization: Bearer ${service.suiteKey}\r\n\r\n`);
  await started;
  socket.destroy();
}

/* Jest fails a test with an uncaught error. */

test.each([
  ['nobody reads, because the client has left', leave],
  [
    'nobody reads, because the request is HEAD',
    async (made: () => object) => {
      answer = () => Promise.resolve({ status: 200, body: made() });
      await service.request('/v1/books/7/cover', { method: 'HEAD', key: service.suiteKey });
    },
  ],
  [
    'nobody reads, because the response is invalid',
    async (made: () => object) => {
      answer = () => Promise.resolve({ status: 418, body: made() });
      await service.request('/v1/books/7/cover', { key: service.suiteKey });
    },
  ],
  [
    'is not read yet, because its response is kept first',
    async (made: () => object) => {
      answer = () => Promise.resolve({ status: 201, headers: { Location: '/a' }, body: made() });
      const headers = { 'Idempotency-Key': randomUUID(), 'Content-Type': 'application/json' };
      const book = { name: 'Emma', kind: 'novel', author: null };
      const init = { method: 'POST', body: JSON.stringify(book), headers, key: service.suiteKey };
      await service.request('/v1/books', init);
    },
  ],
])('a stream that fails, and that %s, does no harm', async (_, ask) => {
  await ask(() => createReadStream('/there/is/no/such/file'));
  await sleep(50);
});

test('closes a stream that nobody read', async () => {
  const body = new Readable({ read: () => undefined });
  const closed = new Promise((resolve) => finished(body, resolve));
  await leave(() => body);
  await closed;
  let isCancelled = false;
  await leave(() => new ReadableStream({ cancel: () => void (isCancelled = true) }));
  await until(() => isCancelled);
});
