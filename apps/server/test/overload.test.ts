import { setImmediate as nextTurn } from 'node:timers/promises';
import { block } from './support/block.ts';
import { servePetstore } from './support/command.ts';
import { expectCommonHeaders, expectError, rateLimitIn } from './support/expect.ts';
import { newFolder } from './support/folder.ts';
import { connectRaw, responsesIn, sendRaw } from './support/raw.ts';
import { startTestService } from './support/service.ts';
import { newKey, numbered, storedOrders, withStore } from './support/store.ts';
import { until } from './support/until.ts';

const LATE = 'the event loop is late; requests that are too many are answered with 503';
const ON_TIME = 'the event loop keeps up again; every request is served';

/** Keeps the event loop busy, 120 ms at a time, until the returned function is called. */
function blockEventLoop(): () => Promise<void> {
  let blocking = true;
  const blocked = (async () => {
    while (blocking) {
      block(120);
      await nextTurn();
    }
  })();
  return () => {
    blocking = false;
    return blocked;
  };
}

test('while the event loop is late requests are shed with 503, but for OVERLOAD_DELAY_MS=0, health is answered, and it recovers by itself', async () => {
  const service = await startTestService({ env: { OVERLOAD_DELAY_MS: '50' } });
  const shedsNothing = await startTestService({ env: { OVERLOAD_DELAY_MS: '0' } });
  const key = await service.key('business');
  const list = () => service.list(key);
  const remaining = async () => rateLimitIn((await list()).headers).remaining ?? 0;
  const logged = (message: string) => service.logged.filter(({ msg }) => msg === message).length;
  const before = await remaining();
  let served = 0;
  let shed: Response | undefined;

  const relieve = blockEventLoop();
  while (!shed) {
    const response = await list();
    if (response.ok) served += 1;
    else shed = response;
  }
  for (const page of ['/healthz', '/readyz', '/metrics'])
    expect((await service.request(page)).status).toBe(200);
  // A deprecated operation stays one, and a page of the docs can wait.
  let pet = await service.request('/v1/pets/1', { key });
  for (; pet.status !== 503; pet = await service.request('/v1/pets/1', { key })) served += 1;
  let docs = await service.request('/docs');
  while (docs.status !== 503) docs = await service.request('/docs');
  const others = await Promise.all(numbered(8).map(() => shedsNothing.list()));
  await relieve();

  expect(shed.headers.get('retry-after')).toBe('1');
  await expectError(shed, 'service_unavailable');
  expect(pet.headers.has('sunset')).toBe(true);
  await expectError(pet, 'service_unavailable');
  expectCommonHeaders(docs.headers);
  expect(others.filter(({ status }) => status === 503)).toEqual([]);
  expect(logged(LATE)).toBe(1);
  expect(await (await service.request('/metrics')).text()).toMatch(/^petstore_shed_requests_total [1-9]/m);

  await until(() => logged(ON_TIME) === 1);
  expect(service.logged.find(({ msg }) => msg === ON_TIME)?.['shed']).toBeGreaterThanOrEqual(3);
  // What was shed is not counted against the key.
  expect(await remaining()).toBe(before - served - 1);
});

test('an event loop that is late once is no overload', async () => {
  const service = await startTestService({ env: { OVERLOAD_DELAY_MS: '1000' } });
  // For longer than an overload has to last.
  block(3_500);
  const answers = await Promise.all(numbered(50).map(() => service.list()));
  expect(answers.filter(({ status }) => status === 503)).toEqual([]);
});

test('a flood does not keep a new connection waiting, and everything in it is answered in order', async () => {
  const dataDir = newFolder();
  const key = await withStore(dataDir, newKey);
  const server = await servePetstore({ dataDir, env: { OVERLOAD_DELAY_MS: '0', LOG_LEVEL: 'info' } });
  const [SOCKETS, EACH] = [25, 40];
  const received = Array.from({ length: SOCKETS }, () => '');
  const sockets = received.map((_, index) => {
    const socket = connectRaw(server.origin);
    socket.setEncoding('latin1').on('data', (chunk: string) => (received[index] += chunk));
    return socket;
  });
  const numbers = Array.from({ length: EACH }, (_, index) => index);
  for (const socket of sockets) {
    const requests = numbers.map(
      (id) =>
        `GET /v1/pets/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nX-Request-Id: ${id}\r\n\r\n`,
    );
    socket.write(requests.join(''));
  }
  const health = await sendRaw(
    server.origin,
    'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  expect(health).toMatch(/^HTTP\/1\.1 200 /);
  const idsIn = (text: string) => [...text.matchAll(/x-request-id: (\d+)/gi)].map(([, id]) => Number(id));
  expect(received.flatMap(idsIn).length).toBeLessThan((SOCKETS * EACH) / 2);
  await until(() => received.every((text) => idsIn(text).length === EACH));
  for (const text of received) expect(idsIn(text)).toEqual(numbers);
  for (const socket of sockets) socket.destroy();
  expect(await server.kill('SIGTERM')).toBe(0);
});

test('a connection has one request under way, however many it sends at once', async () => {
  const service = await startTestService();
  const key = await service.key('enterprise', { perMinute: 10_000, perDay: 10_000 });
  await service.addOrders(numbered(30));
  const cancels = Array.from(
    { length: 30 },
    (_, index) =>
      `DELETE /v1/store/orders/${index + 1} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      `${index === 9 ? 'Connection: close\r\n' : ''}\r\n`,
  );
  expect(responsesIn(await sendRaw(service.origin, cancels.join('')))).toHaveLength(10);
  // RFC 9112 §9.6: what follows on a request with Connection: close is not processed.
  expect(await storedOrders(service.store.orders, 'cancelled')).toHaveLength(10);
});
