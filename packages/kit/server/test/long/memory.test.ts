import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { command, generateApiKey } from '../library/service.ts';
import { newFolder, until, type Served } from '@contract-kit/test-support/testing';
import { sendRaw } from '../../src/testing/raw.ts';

const MB = 1_000_000;
/** How many distinct tokens, and addresses, are sent: more than any cache holds. */
const FLOOD = 24_000;
const CONNECTIONS = 8;
/** Requests that a connection sends before it is closed. */
const PIPELINED = 500;

const probe = path.join(__dirname, '../support/heap-probe.mjs');

/** The bytes in use after garbage collection. */
async function bytesInUse(server: Served): Promise<number> {
  // Counters are written once a second.
  await sleep(2_500);
  const heapLines = () => [...server.output.stderr.matchAll(/^heap (\d+)$/gm)];
  const before = heapLines().length;
  process.kill(server.pid, 'SIGUSR2');
  await until(() => heapLines().length > before);
  return Number(heapLines().at(-1)?.[1]);
}

test(`${2 * FLOOD} distinct tokens and addresses leave less than 10 MB behind`, async () => {
  const env = { TRUST_PROXY: '127.0.0.1', NODE_OPTIONS: `--import=${probe}` };
  const server = await command.serve({ dataDir: newFolder(), env });
  let sent = 0;
  const request = () => {
    sent += 1;
    const address = `2001:db8:${(sent >> 16).toString(16)}:${(sent & 0xffff).toString(16)}::1`;
    const headers = `Authorization: Bearer ${generateApiKey()}\r\nX-Forwarded-For: ${address}\r\n`;
    return `GET /v1/loans HTTP/1.1\r\nHost: a\r\n${headers}`;
  };
  const send = async (count: number) => {
    const end = sent + count;
    const sender = async () => {
      while (sent < end) {
        const requests = Array.from({ length: PIPELINED - 1 }, () => `${request()}\r\n`).join('');
        const text = await sendRaw(server.origin, requests, `${request()}Connection: close\r\n\r\n`);
        expect(text.match(/HTTP\/1\.1 401 /g)).toHaveLength(PIPELINED);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, sender));
    return bytesInUse(server);
  };
  // Warms up: the first requests compile and load code.
  const before = await send(PIPELINED);
  const halfway = await send(FLOOD);
  const after = await send(FLOOD);
  expect(after - before).toBeLessThan(10 * MB);
  // The caches are full now.
  expect(after - halfway).toBeLessThan(2 * MB);
  await server.kill('SIGKILL');
});
