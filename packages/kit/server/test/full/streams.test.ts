import { cpSync, readFileSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeWith } from '@contract-kit/test-support';
import {
  newFolder,
  originOf,
  shared,
  startProcess,
  stopAtEnd,
  until,
} from '@contract-kit/test-support/testing';
import { startForCheck } from '../../src/checking.ts';
import { connectRaw } from '../../src/testing/raw.ts';
import { contractFrom } from '@contract-kit/test-support/contracts';
import { deployFor } from '../library/deployed.ts';
import { streamingText } from '../library/streaming-contract.ts';
import { handlersOf, readingOf, streaming, then, type Returned } from '../library/streaming.ts';

const KB = 1_000;
/** What a stream takes at most, with its connection, and the item and the socket's buffer of a stalled reader. */
const MOST_OF_ONE = 150 * KB;

/** Starts the service in its own process. */
async function start() {
  const file = path.join(__dirname, '../library/stream-server.ts');
  const running = startProcess(process.execPath, ['--import', 'tsx', file], {
    env: { PATH: process.env['PATH'] },
  });
  stopAtEnd('service', () => running.kill('SIGKILL'));
  const origin = await originOf(running);
  const { keys } = JSON.parse(running.output.stdout) as { keys: string[] };
  return { running, origin, keys };
}

/** Asks for a stream, and reads nothing of it. */
function open(origin: string, key: string, target: string): Socket {
  const socket = connectRaw(origin);
  socket.write(
    `GET /v1${target} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream, application/jsonl\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  );
  return socket;
}

test('fast readers of an iterable that never waits leave time for other requests', async () => {
  const { origin, keys } = await start();
  const sockets = [0, 1, 2].map(() => open(origin, keys[0] ?? '', '/counts').resume());
  await until(() => sockets.every(({ bytesRead }) => bytesRead > 10_000_000));
  for (let times = 0; times < 10; times += 1) expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});

describe('1,000 streams on one instance', () => {
  const EVENTS = 900;
  const STALLED = 100;

  test('get their items, stalled readers among them, take little memory, and leave nothing behind', async () => {
    const { running, origin, keys } = await start();
    const resident = () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${running.child.pid}/status`, 'utf8'))?.[1]) * 1024;
    const countOpen = async () => {
      const text = await (await fetch(`${origin}/metrics`)).text();
      return Number(/^library_open_streams (\d+)/m.exec(text)?.[1]);
    };
    const keyOf = (index: number) => keys[index % keys.length] ?? '';
    // The code that sends streams is compiled before.
    const first = [open(origin, keyOf(0), '/events').resume(), open(origin, keyOf(0), '/counts').resume()];
    await sleep(1_000);
    for (const socket of first) socket.destroy();
    await until(async () => (await countOpen()) === 0);

    const before = resident();
    const texts: string[] = [];
    const sockets = Array.from({ length: EVENTS }, (_, index) => {
      texts.push('');
      return open(origin, keyOf(index), '/events')
        .setEncoding('utf8')
        .on('data', (text: string) => (texts[index] += text));
    });
    sockets.push(...Array.from({ length: STALLED }, (_, index) => open(origin, keyOf(index), '/counts')));
    await until(async () => (await countOpen()) === EVENTS + STALLED);
    await until(() => texts.every((text) => text.includes('id: 3\n')));
    expect((resident() - before) / (EVENTS + STALLED)).toBeLessThan(MOST_OF_ONE);
    for (let times = 0; times < 20; times += 1) expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await countOpen()) === 0);
  });
});

test('a reader of a stream that stalls is cut', async () => {
  const handlers = handlersOf(() => () => endless());
  const service = await streaming.startTestService({ handlers });
  const socket = connectRaw(service.origin);
  socket.write(
    `GET /v1/counts HTTP/1.1\r\nHost: x\r\nAccept: application/jsonl\r\nX-Request-Id: stalled\r\nAuthorization: Bearer ${await service.unlimitedKey()}\r\n\r\n`,
  );
  await until(() => service.logged.some((line) => line['requestId'] === 'stalled'));
  socket.destroy();
});

async function* endless() {
  for (let n = 1; ; n += 1) yield await Promise.resolve({ n, long: 'x'.repeat(10_000) });
}

describeWith(['nginx'], 'behind nginx as deployed', () => {
  const names = { name: 'library', keyPrefix: 'lib_', databaseFile: 'store.db' };
  let body: Returned;
  const service = shared(() => streaming.startTestService({ handlers: handlersOf(() => body) }));
  let entry: string;

  beforeAll(async () => {
    ({ entry } = await deployFor(service.origin, streamingText, names));
  });

  const ask = async (target: string, accept: string) =>
    fetch(`${entry}/v1${target}`, {
      headers: { accept, authorization: `Bearer ${await service.unlimitedKey()}` },
    });

  test('items arrive when they are sent, and an idle stream is not cut', async () => {
    // Longer than each time-out of nginx and of an instance, for other responses.
    const IDLE = 35_000;
    let isIdle = true;
    body = async function* () {
      yield { data: { n: 1 } };
      await sleep(IDLE);
      isIdle = false;
      yield { data: { n: 2 } };
    };
    const events = await ask('/events', 'text/event-stream');
    expect(events.headers.has('x-accel-buffering')).toBe(false);
    const readEvents = readingOf(events);
    await readEvents('1}\n\n');
    body = async function* () {
      yield { n: 1 };
      await sleep(IDLE);
      yield { n: 2 };
    };
    const readLines = readingOf(await ask('/counts', 'application/jsonl'));
    expect(await readLines('\n')).toBe('{"n":1}\n');
    await readEvents(':\n\n:\n\n');
    expect(isIdle).toBe(true);
    expect(await readEvents('2}\n\n')).toBe('data: {"n":1}\n\n:\n\n:\n\ndata: {"n":2}\n\n');
    expect(await readLines('2}\n')).toBe('{"n":1}\n{"n":2}\n');
  });

  test('an idle stream that was sent on to another instance is not cut', async () => {
    const dataDir = newFolder();
    const first = await streaming.startTestService({ dataDir });
    const key = await first.unlimitedKey();
    await first.stop();
    const counts = () => ({
      status: 200,
      body: (async function* () {
        yield { n: 1 };
        await sleep(10_000);
        yield { n: 2 };
      })(),
    });
    const instances = await Promise.all(
      [1, 2].map(() => {
        const copy = newFolder();
        cpSync(dataDir, copy, { recursive: true });
        return streaming.startTestService({ dataDir: copy, handlers: { counts } });
      }),
    );
    rmSync(streaming.filesIn(instances[0]?.dataDir ?? '').store);
    const ports = instances.map(({ origin }) => Number(new URL(origin).port));
    const { entry: both } = await deployFor(ports, streamingText, names);
    const headers = { accept: 'application/jsonl', authorization: `Bearer ${key}` };
    const texts = [1, 2].map(async () => (await fetch(`${both}/v1/counts`, { headers })).text());
    expect(await Promise.all(texts)).toEqual(['{"n":1}\n{"n":2}\n', '{"n":1}\n{"n":2}\n']);
  });

  test('a client that leaves ends the iterable', async () => {
    let left: AbortSignal | undefined;
    body = (_input, { signal }) => {
      left = signal;
      return then([{ data: { n: 1 } }], () => once(signal, 'abort'));
    };
    const response = await ask('/events', 'text/event-stream');
    await response.body?.cancel();
    await until(() => left?.aborted === true);
  });
});

/** Streams whose paths others share, by their method or by a literal path that looks like it. */
const roomsText = `openapi: 3.2.0
info: { title: Rooms, version: 1.0.0 }
servers: [{ url: /v1 }]
security: [{ key: [] }]
paths:
  /rooms/{room}:
    parameters: [{ name: room, in: path, required: true, schema: { type: string } }]
    get: { operationId: follow, responses: { '200': { description: Texts., content: { text/event-stream: { itemSchema: { type: object } } } } } }
    delete: { operationId: leave, responses: { '204': { description: Left. } } }
  /rooms/all: { get: { operationId: listRooms, responses: { '204': { description: None. } } } }
  /words: { post: { operationId: speak, responses: { '200': { description: Texts., content: { application/jsonl: { itemSchema: {} } } } } } }
components: { securitySchemes: { key: { type: http, scheme: bearer } } }
`;

describeWith(['nginx'], 'behind nginx, with 250 streams of one address', () => {
  test('its other requests get their responses, and further streams 503', async () => {
    let stop = () => {};
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    async function* waiting() {
      yield { data: {} };
      await stopped;
    }
    const contract = contractFrom(roomsText);
    const handlerOf = (id: string) => () =>
      id === 'follow' || id === 'speak' ? { status: 200, body: waiting() } : { status: 204 };
    const service = await startForCheck(contract, { dataDir: newFolder(), handlerOf });
    stopAtEnd('service', () => (stop(), service.stop()));
    const { entry } = await deployFor(service.origin, roomsText, contract);
    const keys = await Promise.all([1, 2, 3].map(() => service.newKey()));
    const ask = (method: string, target: string, key = keys[0]) =>
      fetch(entry + target, { method, headers: { authorization: `Bearer ${key}` } });
    const open = async (index: number) => {
      const [method, target] = index % 2 === 0 ? ['GET', '/v1/rooms/a%20b'] : ['POST', '/v1/words'];
      return ask(method, target, keys[index % 2]);
    };
    const streams = await Promise.all(Array.from({ length: 250 }, (_, index) => open(index)));
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
    for (const [method, target, status] of [
      ['GET', '/v1/rooms/all', 204],
      ['DELETE', '/v1/rooms/a', 204],
      ['GET', '/docs', 200],
      ['OPTIONS', '/v1/words', 204],
      ['GET', '/v1/rooms/a', 503],
      ['POST', '/v1/words', 503],
    ] as const)
      expect([method, target, (await ask(method, target, keys[2])).status]).toEqual([method, target, status]);
    stop();
    await Promise.all(streams.map((response) => response.arrayBuffer()));
    expect((await open(0)).status).toBe(200);
  });
});
