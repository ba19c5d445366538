import { newFolder, until } from '@contract-kit/test-support/testing';
import { connectRaw, responsesIn, sendRaw } from '../../src/testing/raw.ts';
import { command, startTestService, numbered, newKey, withStore } from '../library/service.ts';

test('a flood does not delay a new connection, and all its responses come in order', async () => {
  const dataDir = newFolder();
  const key = await withStore(dataDir, newKey);
  const server = await command.serve({ dataDir, env: { LOG_LEVEL: 'info' } });
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
        `DELETE /v1/loans/1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nX-Request-Id: ${id}\r\n\r\n`,
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

test('handles the requests of a connection one by one', async () => {
  const service = await startTestService();
  const key = await service.key('enterprise', { perMinute: 10_000, perDay: 10_000 });
  await service.addLoans(numbered(30));
  const cancels = Array.from(
    { length: 30 },
    (_, index) =>
      `DELETE /v1/loans/${index + 1} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      `${index === 9 ? 'Connection: close\r\n' : ''}\r\n`,
  );
  expect(responsesIn(await sendRaw(service.origin, cancels.join('')))).toHaveLength(10);
  // RFC 9112 §9.6: requests after one with Connection: close are not processed.
  expect(await service.cancelled()).toHaveLength(10);
});
