import { expectError } from './support/expect.ts';
import { responsesIn, sendRaw } from './support/raw.ts';
import { removeTestFolders, startTestService, type TestService } from './support/service.ts';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  key = await service.key();
});

afterAll(async () => {
  await service.stop();
  removeTestFolders();
});

// These wait for the time-outs that clients meet, side by side.
test.concurrent.each([
  ['half a request line', () => 'GET /v1/store'],
  [
    'half the headers',
    () => `DELETE /v1/store/orders/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`,
  ],
])(
  '%s is 408 within 10 seconds',
  async (_, bytes) => {
    const started = performance.now();
    const [response, ...others] = responsesIn(await sendRaw(service.origin, bytes()));
    expect(others).toEqual([]);
    expect(response?.headers.get('connection')).toBe('close');
    await expectError(response ?? new Response(), 'request_timeout');
    expect(performance.now() - started).toBeLessThan(12_000);
  },
  20_000,
);

test.concurrent(
  'a body that never arrives does not bring a second answer',
  async () => {
    const raw = await sendRaw(
      service.origin,
      `GET /v1/store/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: 5\r\n\r\nab`,
    );
    expect(responsesIn(raw).map(({ status }) => status)).toEqual([200]);
  },
  20_000,
);

test.concurrent(
  'a connection without a request is closed without a word',
  async () => {
    expect(await sendRaw(service.origin, '')).toMatch(/^(HTTP\/1\.1 408 |$)/);
  },
  20_000,
);
