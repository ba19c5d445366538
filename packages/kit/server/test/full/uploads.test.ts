import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { originOf, startProcess, stopAtEnd } from '@contract-kit/test-support/testing';
import { connectRaw, responsesIn } from '../../src/testing/raw.ts';

/* Forms with files under a limit of 32 MB, in a process that may use 128 MB: a quarter of it is for large bodies. */

const MB = 1_000_000;
const LIMIT = 32 * MB;
/** What the process takes besides: buffers of 20 sockets, and garbage until it is collected. */
const SLACK = 64 * MB;
const MEMORY = 128 * MB;
const LIMITED = `data:text/javascript,process.constrainedMemory = () => ${MEMORY}`;
const STEP = 65_536;
const content = Buffer.alloc(10 * MB, 'a');

async function start() {
  const file = path.join(__dirname, '../library/uploads.ts');
  const running = startProcess(process.execPath, ['--import', LIMITED, '--import', 'tsx', file], {
    env: { PATH: process.env['PATH'] },
  });
  stopAtEnd('service', () => running.kill('SIGKILL'));
  const origin = await originOf(running);
  const key = /"key":"([^"]+)"/.exec(running.output.stdout)?.[1] ?? '';
  const { pid } = running.child;
  const kilobytes = (field: string) =>
    Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  return {
    origin,
    key,
    /** The most bytes of memory that the process has while `work` runs, above those before. */
    async growth(work: () => Promise<unknown>) {
      const before = kilobytes('VmRSS');
      // Sets the peak to the present.
      writeFileSync(`/proc/${pid}/clear_refs`, '5');
      await work();
      return (kilobytes('VmHWM') - before) * 1024;
    },
  };
}

type Service = Awaited<ReturnType<typeof start>>;

/** Sends a form with `count` files of 10 MB, without a pause. Resolves to the status of the response. */
async function upload(service: Service, count: number, isChunked: boolean): Promise<number> {
  const { origin, key } = service;
  const head = 'Content-Disposition: form-data; name=files; filename=a.png\r\nContent-Type: image/png';
  const parts = Array.from({ length: count }, () => [
    Buffer.from(`--x\r\n${head}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);
  const bytes = [...parts.flat(), Buffer.from('--x--\r\n')];
  const socket = connectRaw(origin);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  // A busy client may write after the server has responded and stopped reading (RFC 9112, section 9.6).
  let isBroken = false;
  socket.on('error', () => (isBroken = true));
  const length = isChunked
    ? 'Transfer-Encoding: chunked'
    : `Content-Length: ${bytes.reduce((sum, part) => sum + part.length, 0)}`;
  socket.write(
    `POST /uploads HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: multipart/form-data; boundary=x\r\n${length}\r\n\r\n`,
  );
  for (const part of bytes)
    for (let at = 0; at < part.length && !socket.destroyed && text === ''; at += STEP) {
      const step = part.subarray(at, at + STEP);
      if (isChunked) socket.write(`${step.length.toString(16)}\r\n`);
      const isTaken = socket.write(step);
      if (isChunked) socket.write('\r\n');
      if (!isTaken) await Promise.race([once(socket, 'drain'), closed]);
    }
  if (isChunked && text === '') socket.write('0\r\n\r\n');
  await closed;
  if (isBroken && text === '') return upload(service, count, isChunked);
  return responsesIn(text)[0]?.status ?? 0;
}

const times = <Value>(count: number, make: () => Value) => Array.from({ length: count }, make);

test.each([
  ['that announces its length', false],
  ['without a length', true],
])(
  'a form of 20 files of 10 MB %s gets 413, and takes no more memory than the limit',
  async (_, isChunked) => {
    const service = await start();
    await upload(service, 1, false);
    const statuses: number[] = [];
    const growth = await service.growth(async () => statuses.push(await upload(service, 20, isChunked)));
    expect(statuses).toEqual([413]);
    expect(growth).toBeLessThan(LIMIT + SLACK);
  },
);

test('20 such forms at once, and 20 files of 10 MB, wait for room instead of taking more memory', async () => {
  const service = await start();
  await upload(service, 1, false);
  const growth = await service.growth(async () => {
    expect(await Promise.all(times(20, () => upload(service, 20, true)))).toEqual(times(20, () => 413));
    expect(await Promise.all(times(20, () => upload(service, 1, false)))).toEqual(times(20, () => 200));
  });
  // Nothing but the room bounds it to less than 500 MB. V8 does not know the limit here, and collects late.
  expect(growth).toBeLessThan(2 * MEMORY);
});

test('a form that gets no room in 14 seconds gets 503, with the time to retry after', async () => {
  const service = await start();
  const { origin, key } = service;
  const socket = connectRaw(origin);
  socket.write(
    `POST /uploads HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${30 * MB}\r\n\r\n`,
  );
  socket.write(content.subarray(0, MB));
  const slow = setInterval(() => socket.write('a'), 1_000);
  await sleep(500);
  expect(await upload(service, 1, false)).toBe(503);
  clearInterval(slow);
  socket.destroy();
  expect(await upload(service, 1, false)).toBe(200);
});
