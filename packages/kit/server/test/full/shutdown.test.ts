import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { block } from '../support/block.ts';
import { until } from '@contract-kit/test-support/testing';
import { connectRaw } from '../../src/testing/raw.ts';
import { addManyLoans, command, startTestService } from '../library/service.ts';

let dataDir: string;
let key: string;

beforeAll(async () => {
  const service = await startTestService();
  ({ dataDir } = service);
  key = await service.unlimitedKey();
  addManyLoans(dataDir);
  await service.stop();
});

const serve = (env: Record<string, string> = {}) =>
  command.serve({ dataDir, env: { LOG_LEVEL: 'info', ...env } });

const requestFor = (target: string) =>
  `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;

/** Resolves to the next response on `socket`, or to undefined if the connection ends before it is complete. */
async function nextAnswer(socket: Socket): Promise<string | undefined> {
  let text = '';
  return new Promise((resolve) => {
    const finish = (answer: string | undefined) => {
      socket.off('data', receive).off('close', abandon);
      resolve(answer);
    };
    const abandon = () => finish(undefined);
    const receive = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const [, head, length] = /^(.*?content-length: (\d+).*?\r\n\r\n)/is.exec(text) ?? [];
      if (head !== undefined && text.length >= head.length + Number(length)) finish(text);
    };
    socket.on('data', receive).once('close', abandon);
  });
}

/** Starts to read the list, then stalls. */
async function stall(origin: string): Promise<Socket> {
  const socket = connectRaw(origin);
  socket.write(requestFor('/v1/loans'));
  await once(socket, 'readable');
  return socket;
}

/** Sends requests on one connection after another until none is accepted, and counts the outcomes. */
async function askUntilRefused(origin: string, outcome: { answered: number; reset: number }): Promise<void> {
  for (;;) {
    const socket = connectRaw(origin);
    try {
      await once(socket, 'connect');
    } catch {
      return;
    }
    for (let isKept = true; isKept;) {
      socket.write(requestFor('/v1/none'));
      const answer = await nextAnswer(socket);
      if (answer === undefined) outcome.reset += 1;
      else outcome.answered += 1;
      isKept = answer !== undefined && !/^connection: close/im.test(answer);
      await sleep(Math.random() * 10);
      // A client sends nothing on a connection that it knows is closed.
      isKept &&= !socket.readableEnded && !socket.closed;
    }
    socket.destroy();
  }
}

test.each([1, 2, 3])('SIGTERM under load resets no request (round %i)', async () => {
  const server = await serve();
  const outcomes = Array.from({ length: 40 }, () => ({ answered: 0, reset: 0 }));
  const clients = outcomes.map((outcome) => askUntilRefused(server.origin, outcome));
  const slow = connectRaw(server.origin);
  let list = '';
  slow.write(`GET /v1/loans HTTP/1.0\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  await once(slow, 'readable');
  // A silent connection, one with half a request, and one that is idle after a response.
  const others = [0, 1, 2].map(() => connectRaw(server.origin));
  others[1]?.write('GET /v1/loans HT');
  others[2]?.write(requestFor('/healthz'));
  for (const socket of others) socket.resume();
  await until(() => outcomes.every(({ answered }) => answered > 1));

  const stopping = server.kill('SIGTERM');
  await until(() => server.output.stdout.includes('"stopping'));
  slow.setEncoding('latin1').on('data', (chunk: string) => (list += chunk));
  await Promise.all(clients);
  expect(await stopping).toBe(0);
  expect(outcomes.map(({ reset }) => reset)).toEqual(outcomes.map(() => 0));
  expect(JSON.parse(list.slice(list.indexOf('\r\n\r\n') + 4))).toHaveLength(120_000);
  expect(server.output.stdout).not.toContain('cut off');
});

test('a stall of the process resets no request', async () => {
  const service = await startTestService();
  const socket = connectRaw(service.origin);
  socket.write(requestFor('/v1/none'));
  await nextAnswer(socket);
  const stopping = service.stop();
  // It stops accepting, and waits half a second for requests that are on their way.
  await sleep(50);
  // The stall ends before the turn of timers, not in it.
  await nextTurn();
  socket.write(requestFor('/v1/none'));
  block(1_000);
  expect(await nextAnswer(socket)).toMatch(/^HTTP\/1\.1 404 /);
  await stopping;
});

test('after SIGTERM, it is not ready but keeps serving for SHUTDOWN_DELAY_SECONDS', async () => {
  const server = await serve({ SHUTDOWN_DELAY_SECONDS: '5' });
  const request = (target: string) =>
    fetch(server.origin + target, { headers: { authorization: `Bearer ${key}`, connection: 'close' } });
  expect((await request('/readyz')).status).toBe(200);
  const stopping = server.kill('SIGTERM');
  await until(async () => (await request('/readyz')).status === 503);
  expect((await request('/healthz')).status).toBe(200);
  expect((await request('/v1/none')).status).toBe(404);
  expect(await stopping).toBe(0);
  await expect(request('/healthz')).rejects.toThrow();
});

test('cuts the remaining connections at the end of the grace period, and logs it', async () => {
  const server = await serve({ SHUTDOWN_GRACE_SECONDS: '1' });
  const stalled = await stall(server.origin);
  expect(await server.kill('SIGTERM')).toBe(0);
  expect(server.output.stdout).toContain('"connections":1');
  stalled.destroy();
});

test('lists that are cut off while streaming are not counted as failures', async () => {
  const server = await serve({ SHUTDOWN_GRACE_SECONDS: '0' });
  const readers = await Promise.all(Array.from({ length: 8 }, () => stall(server.origin)));
  for (const reader of readers) reader.resume();
  expect(await server.kill('SIGTERM')).toBe(0);
  expect(server.output.stdout).not.toContain('"level":50');
});

test('a second signal stops it at once', async () => {
  const server = await serve({ SHUTDOWN_GRACE_SECONDS: '3600' });
  const stalled = await stall(server.origin);
  void server.kill('SIGTERM');
  await until(() => server.output.stdout.includes('"stopping'));
  expect(await server.kill('SIGTERM')).toBe(1);
  stalled.destroy();
});
