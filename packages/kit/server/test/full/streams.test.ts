import { readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeWith, freePorts, startNginx, type Program } from '@contract-kit/local-stack';
import { parseContract } from '@contract-kit/core/source-document';
import { deployFiles, templateValues } from '../../src/deploy/templates.ts';
import {
  newFolder,
  originOf,
  shared,
  startProcess,
  stopAtEnd,
  until,
} from '@contract-kit/local-stack/testing';
import { connectRaw } from '../../src/testing/raw.ts';
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
  const programs: Program[] = [];
  afterAll(() => Promise.all(programs.map((program) => program.end('SIGTERM'))));

  beforeAll(async () => {
    const folder = newFolder();
    const files = await deployFiles(templateValues(parseContract(streamingText), names));
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), content);
    }
    const [port = 0] = await freePorts(1);
    const nginx = await startNginx({
      folder: path.join(folder, 'nginx'),
      port,
      instances: [Number(new URL(service.origin).port)],
      deploy: path.join(folder, 'deploy'),
    });
    programs.push(nginx);
    entry = `http://127.0.0.1:${port}`;
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
