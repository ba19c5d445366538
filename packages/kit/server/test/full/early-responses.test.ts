import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describeWith, freePort, startNginx, type Program } from '@contract-kit/test-support';
import { parseContract } from '@contract-kit/core/openapi';
import { deployFiles, templateValues } from '../../src/deploy/templates.ts';
import { startForCheck } from '../../src/checking.ts';
import { newFolder } from '@contract-kit/test-support/testing';
import { responsesIn } from '../../src/testing/raw.ts';
import { contractFrom, contractText } from '@contract-kit/test-support/contracts';

/* Responses that are sent before their request has been read entirely. */

const LIMIT = 5_000_000;

/** The library, with an operation that takes large bodies. */
const text = contractText.replace('operationId: createLoan\n', `$&      x-body-limit: ${LIMIT}\n`);
const contract = contractFrom(text);

const start = (dataDir: string) =>
  startForCheck(contract, { dataDir, handlerOf: () => () => ({ status: 204 }) });

let dataDir: string;
let service: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
  dataDir = newFolder();
  service = await start(dataDir);
});

afterAll(() => service.stop());

const SIZES = [10_000, 200_000, 1_000_000, LIMIT];

interface Row {
  readonly status: number;
  readonly line: string;
  readonly sizes?: readonly number[];
  readonly withoutKey?: boolean;
}

const ROWS: readonly Row[] = [
  { status: 400, line: 'POST /v1/%zz' },
  // Their bodies of 10 kB are read.
  { status: 400, line: 'GET /docs', sizes: SIZES.slice(1) },
  { status: 413, line: 'POST /v1/books', sizes: SIZES.slice(1) },
  { status: 404, line: 'POST /v1/nothing' },
  { status: 405, line: 'PATCH /v1/loans' },
  { status: 415, line: 'POST /v1/loans' },
  { status: 401, line: 'POST /v1/loans', withoutKey: true },
  // The last: it uses up the quota of requests without a key.
  { status: 429, line: 'POST /v1/loans', withoutKey: true },
];

const FRAMINGS = {
  'Content-Length': (body: string) => `Content-Length: ${body.length}\r\n\r\n${body}`,
  chunks: (body: string) =>
    `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
};

const requestOf = (line: string, framing: keyof typeof FRAMINGS, size: number, key?: string) =>
  `${line} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n` +
  (key === undefined ? '' : `Authorization: Bearer ${key}\r\n`) +
  FRAMINGS[framing]('a'.repeat(size));

/** Sends the whole request before it reads. */
async function sendThenRead(origin: string, request: string): Promise<Response> {
  const { hostname, port } = new URL(origin);
  const socket = net.connect({ host: hostname, port: Number(port) });
  socket.write(request, 'latin1', () => socket.emit('sent'));
  // Rejects if the connection is reset.
  await once(socket, 'sent');
  let received = '';
  for await (const chunk of socket.setEncoding('latin1')) {
    received += String(chunk);
    const [, length] = /\r\ncontent-length: (\d+)/i.exec(received) ?? [];
    const end = received.indexOf('\r\n\r\n') + 4;
    // Leaving the loop closes the socket.
    if (end > 4 && received.length >= end + Number(length)) break;
  }
  const [response] = responsesIn(received);
  return response ?? Response.error();
}

/** Sends requests until the address has used its quota. */
async function useUp(origin: string): Promise<void> {
  while ((await fetch(`${origin}/v1/loans`)).status !== 429);
}

/** Every request of a row, with its framing and size. */
const requestsOf = ({ line, sizes = SIZES, withoutKey }: Row, key: string) =>
  (Object.keys(FRAMINGS) as (keyof typeof FRAMINGS)[]).flatMap((framing) =>
    sizes.map((size) => requestOf(line, framing, size, withoutKey ? undefined : key)),
  );

test.each(ROWS)('a client that reads last gets $status for $line', async (row) => {
  if (row.status === 429) await useUp(service.origin);
  for (const request of requestsOf(row, service.key)) {
    // Whether a reset meets the response depends on the timing.
    for (let times = 0; times < 3; times += 1)
      expect((await sendThenRead(service.origin, request)).status).toBe(row.status);
  }
});

test.each([
  ['401', 'POST /v1/loans'],
  ['404', 'POST /v1/nothing'],
])('a client that sends without end is reset after %s', async (_, line) => {
  const { hostname, port } = new URL(service.origin);
  const socket = net.connect({ host: hostname, port: Number(port) }).on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.resume().write(`${line} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`);
  const chunk = Buffer.from(`10000\r\n${'a'.repeat(65_536)}\r\n`);
  const send = () => void (socket.writable && socket.write(chunk, send));
  send();
  await closed;
});

describeWith(['nginx'], 'behind nginx as deployed', () => {
  const services: Awaited<ReturnType<typeof start>>[] = [];
  let nginx: Program;
  let entry: string;
  let folder: string;
  let key: string;

  beforeAll(async () => {
    folder = newFolder();
    chmodSync(folder, 0o711);
    const shared = path.join(folder, 'one');
    const first = await start(shared);
    ({ key } = first);
    await first.stop();
    // Two instances that know the key.
    cpSync(shared, path.join(folder, 'two'), { recursive: true });
    for (const name of ['one', 'two']) services.push(await start(path.join(folder, name)));
    const files = await deployFiles(templateValues(parseContract(text), contract));
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(folder, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
    const port = await freePort();
    entry = `http://127.0.0.1:${port}`;
    nginx = await startNginx({
      folder: path.join(folder, 'nginx'),
      port,
      instances: services.map(({ origin }) => Number(new URL(origin).port)),
      deploy: path.join(folder, 'deploy'),
      log: path.join(folder, 'error.log'),
    });
  });

  afterAll(async () => {
    await nginx.end();
    await Promise.all(services.map((each) => each.stop()));
  });

  test('clients get every status, no instance counts as failed, and a customer loses nothing', async () => {
    const lost: number[] = [];
    let isOver = false;
    const customer = async () => {
      const cancel = { method: 'DELETE', headers: { authorization: `Bearer ${key}` } };
      while (!isOver) {
        const { status } = await fetch(`${entry}/v1/loans/1`, cancel);
        if (status !== 204) lost.push(status);
      }
    };
    const customers = customer();
    for (const row of ROWS) {
      if (row.status === 429) for (const { origin } of services) await useUp(origin);
      for (const request of requestsOf(row, key)) {
        const responses = Array.from({ length: 4 }, () => sendThenRead(entry, request));
        for (const { status } of await Promise.all(responses))
          expect([row.line, status]).toEqual([row.line, row.status]);
      }
    }
    isOver = true;
    await customers;
    expect(lost).toEqual([]);
    const log = readFileSync(path.join(folder, 'error.log'), 'utf8');
    expect(log.split('\n').filter((line) => /upstream/.test(line) && !/\[warn\]/.test(line))).toEqual([]);
    // A repeated request has two addresses.
    const lines = readFileSync(path.join(folder, 'nginx/access.log'), 'utf8').trim().split('\n');
    const asked = lines.map((line) => (JSON.parse(line) as { instance: string }).instance);
    expect(asked.filter((instance) => /[, ]/.test(instance))).toEqual([]);
  });
});
