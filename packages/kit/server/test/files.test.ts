import { Readable } from 'node:stream';
import { sharedService } from './library/service.ts';

/* `getCover` responds with image/png. */

let answer: object = { status: 204 };
const service = sharedService({ handlers: { getCover: () => answer } });

async function cover(body: unknown) {
  answer = { status: 200, body };
  const response = await service.request('/v1/books/7/cover', { key: service.ownKey });
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
