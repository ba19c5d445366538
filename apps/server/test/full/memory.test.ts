import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateApiKey } from '../../src/keys/api-key.ts';
import { servePetstore, type ServedPetstore } from '../support/command.ts';
import { newFolder } from '../support/folder.ts';
import { connectRaw } from '../support/raw.ts';
import { until } from '../support/until.ts';

/** Distinct values of each kind that are sent. Half of them are more than any cache holds. */
const DISTINCT = 100_000;
const MB = 1_000_000;
const CONNECTIONS = 8;
/** Requests that are sent before their answers are read. */
const PIPELINED = 25;

const probe = path.join(__dirname, '../support/heap-probe.mjs');
let server: ServedPetstore;

/** The bytes that are in use once everything that can be forgotten is. */
async function bytesInUse(): Promise<number> {
  // Counters are written behind once a second.
  await sleep(2_500);
  const said = () => [...server.output.stderr.matchAll(/^heap (\d+)$/gm)];
  const before = said().length;
  process.kill(server.pid, 'SIGUSR2');
  await until(() => said().length > before);
  return Number(said().at(-1)?.[1]);
}

/** Sends `count` requests, pipelined, with the headers that `headersOf` gives, and resolves to how often each status came. */
async function send(count: number, headersOf: (index: number) => string): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  let next = 0;
  const sender = async () => {
    const socket = connectRaw(server.origin).setEncoding('latin1');
    const answers = socket[Symbol.asyncIterator]() as AsyncIterator<string, undefined>;
    while (next < count) {
      const batch = Array.from({ length: Math.min(PIPELINED, count - next) }, () => (next += 1) - 1);
      socket.write(
        batch.map((index) => `GET /v1/store/orders HTTP/1.1\r\nHost: a\r\n${headersOf(index)}\r\n`).join(''),
      );
      let rest = '';
      for (let missing = batch.length; missing > 0;) {
        const { value, done } = await answers.next();
        if (done) throw new Error('the connection was closed');
        rest += value;
        for (let found = /HTTP\/1\.1 (\d{3})/.exec(rest); found; found = /HTTP\/1\.1 (\d{3})/.exec(rest)) {
          const status = found[1] ?? '';
          statuses[status] = (statuses[status] ?? 0) + 1;
          rest = rest.slice(found.index + found[0].length);
          missing -= 1;
        }
      }
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sender));
  return statuses;
}

const headers = (address: string) =>
  `Authorization: Bearer ${generateApiKey()}\r\nX-Forwarded-For: ${address}\r\n`;

test(`${DISTINCT} distinct tokens and addresses leave less than 10 MB behind`, async () => {
  const env = { TRUST_PROXY: '127.0.0.1', NODE_OPTIONS: `--import=${probe}` };
  server = await servePetstore({ dataDir: newFolder(), env });
  let sent = 0;
  const flood = async (count: number) => {
    const statuses = await send(count, () => {
      sent += 1;
      const network = `2001:db8:${(sent >> 16).toString(16)}:${(sent & 0xffff).toString(16)}`;
      return headers(`${network}::1`);
    });
    expect(statuses).toEqual({ 401: count });
    return bytesInUse();
  };
  // So that what the server compiles and loads on its first requests is there.
  await send(3_000, () => headers('192.0.2.1'));
  const before = await bytesInUse();
  const halfway = await flood(DISTINCT / 2);
  const after = await flood(DISTINCT / 2);
  expect(after - before).toBeLessThan(10 * MB);
  // Once the caches are full, more leaves nothing more.
  expect(after - halfway).toBeLessThan(2 * MB);
});
