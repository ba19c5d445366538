import { once } from 'node:events';
import type { Socket } from 'node:net';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createBatchTurns } from '../src/database/batch-turns.ts';
import { openDatabase } from '../src/database/sqlite/database.ts';
import { sqliteSql } from '../src/database/sqlite/sql.ts';
import type { Batches } from '../src/http/list.ts';
import { newFolder, until } from '@contract-kit/test-support/testing';
import { connectRaw, responsesIn, sendRaw } from '../src/testing/raw.ts';
import { addManyLoans, sharedService } from './library/service.ts';

// As in production, without validation of responses.
const service = sharedService({ validatesResponses: false });

beforeAll(() => addManyLoans(service.dataDir));

const request = (target: string, method = 'GET', key = service.suiteKey) =>
  service.request(target, { method, key });

const GET = (bearer = service.suiteKey) =>
  `GET /v1/loans HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${bearer}\r\n\r\n`;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapInMegabytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

test('a list of 120,000 loans is complete and valid, while loans are cancelled and other requests succeed', async () => {
  let underway = true;
  const listing = request('/v1/loans').then(async (response) => {
    const loans = (await response.json()) as { id: number }[];
    underway = false;
    return { status: response.status, loans };
  });
  let answered = 0;
  for (let id = 119_999; underway; id -= 1) {
    const cancelled = await request(`/v1/loans/${id}`, 'DELETE');
    expect(cancelled.status).toBe(204);
    expect((await request('/v1/loans/999999', 'DELETE')).status).toBe(404);
    answered += 1;
  }
  const { status, loans } = await listing;
  expect(status).toBe(200);
  expect(loans).toHaveLength(120_000);
  expect(loans.every(({ id }, index) => id === index + 1)).toBe(true);
  expect(answered).toBeGreaterThan(1);
});

test('a stalled reader makes the server wait, without using more memory', async () => {
  const before = heapInMegabytes();
  const sockets = Array.from({ length: 10 }, () => connectRaw(service.origin));
  for (const socket of sockets) {
    socket.pause();
    socket.write(GET());
  }
  for (let index = 0; index < 20; index += 1) {
    expect((await request('/v1/loans/999999', 'DELETE')).status).toBe(404);
  }
  expect(heapInMegabytes() - before).toBeLessThan(30);
  for (const socket of sockets) socket.destroy();
});

test('readers that hang up half-way leave nothing behind', async () => {
  const aborted = () => service.logged.filter((line) => line['status'] === 499).length;
  const before = aborted();
  // More than ten, because some got 503 while an abandoned list was ending.
  await until(async () => {
    const socket = connectRaw(service.origin);
    socket.write(GET());
    await once(socket, 'data');
    socket.destroy();
    return aborted() >= before + 10;
  });
  const failures = service.logged.filter((line) => Number(line['level']) >= 50);
  expect(failures).toEqual([]);
  expect((await request('/v1/loans/1', 'DELETE')).status).toBe(204);
  await hangUp([]);
});

/** Starts to read a list with each key, then stalls. */
async function beginLists(keys: readonly string[]) {
  const sockets = keys.map(() => connectRaw(service.origin));
  const heads = await Promise.all(
    sockets.map(async (socket, index) => {
      socket.write(GET(keys[index]));
      const [head] = (await once(socket, 'data')) as [Buffer];
      socket.pause();
      return head.toString();
    }),
  );
  return { sockets, heads };
}

/** Closes the lists. Resolves when another one was read to its end: by then the batches that they waited for were read. */
async function hangUp(sockets: readonly Socket[]): Promise<void> {
  for (const socket of sockets) socket.destroy();
  await until(async () => {
    const response = await request('/v1/loans');
    await response.arrayBuffer();
    return response.status === 200;
  });
}

test('a list that its reader has not taken yet is cut when its key is revoked', async () => {
  const { id, key } = await service.keyWithId();
  const { sockets } = await beginLists([key]);
  await service.store.keys.revoke(id, new Date());
  service.clock.advance(5_000);
  await until(() => service.logged.some(({ keyId, status }) => keyId === id && status === 401));
  await hangUp(sockets);
});

const withStatus = (heads: readonly string[], status: number) =>
  heads.filter((head) => head.startsWith(`HTTP/1.1 ${status}`));

test('all keys together can read 32 long lists at once; more get 503', async () => {
  const keys = await Promise.all(Array.from({ length: 5 }, () => service.key('business')));
  const { sockets, heads } = await beginLists([
    ...keys,
    ...keys,
    ...keys,
    ...keys,
    ...keys,
    ...keys,
    ...keys,
  ]);
  expect(withStatus(heads, 200)).toHaveLength(32);
  expect(withStatus(heads, 503)).toHaveLength(3);
  expect((await request('/v1/loans/2', 'DELETE')).status).toBe(204);
  await hangUp(sockets);
});

test('one key can read eight long lists at once; more get 503 until one ends', async () => {
  const { sockets, heads } = await beginLists(Array.from({ length: 12 }, () => service.suiteKey));
  const refused = withStatus(heads, 503);
  expect([withStatus(heads, 200).length, refused.length]).toEqual([8, 4]);
  expect(refused.every((head) => /^Retry-After: 5\r$/m.test(head))).toBe(true);
  const other = await request('/v1/loans', 'GET', await service.key('business'));
  expect(await other.json()).toHaveLength(120_000);
  await hangUp(sockets);
});

test('reads one batch per turn of the event loop, in order, for all callers together', async () => {
  const read: { id: number; turn: number }[] = [];
  let turn = 0;
  const count = () => {
    turn += 1;
    if (read.length < 120) setImmediate(count);
  };
  setImmediate(count);
  const batchTurn = createBatchTurns();
  const asker = async (_: unknown, id: number) => {
    for (let times = 0; times < 3; times += 1) {
      await batchTurn();
      read.push({ id, turn });
    }
  };
  await Promise.all(Array.from({ length: 40 }, asker));
  expect(new Set(read.map((item) => item.turn)).size).toBe(120);
  expect(read.map(({ id }) => id)).toEqual(Array.from({ length: 120 }, (__, index) => index % 40));
});

test('different Content-Types do not make it grow', async () => {
  const request = (type: number) =>
    `DELETE /v1/loans/999999 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.suiteKey}\r\n` +
    `Content-Type: application/x-${type}; charset=${type}\r\n`;
  let sent = 0;
  const sendThousand = async () => {
    const requests = Array.from({ length: 999 }, () => `${request((sent += 1))}\r\n`).join('');
    const last = `${request((sent += 1))}Connection: close\r\n\r\n`;
    const responses = responsesIn(await sendRaw(service.origin, requests + last));
    expect(responses.filter(({ status }) => status === 404)).toHaveLength(1_000);
    service.logged.length = 0;
    return heapInMegabytes();
  };
  const before = await sendThousand();
  await sendThousand();
  await sendThousand();
  expect((await sendThousand()) - before).toBeLessThan(10);
});

test('readers of a list that is too long to be cached keep only what they are sending', async () => {
  const file = openDatabase(path.join(newFolder(), 'test.db'), { synchronous: 'NORMAL' });
  const database = sqliteSql(file);
  const { list, query } = database;
  await query('CREATE TABLE note (id integer PRIMARY KEY, text text NOT NULL)');
  await query('CREATE TABLE note_revision (revision integer NOT NULL)');
  await query(
    `INSERT INTO note WITH RECURSIVE numbers (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM numbers WHERE id < 9500)
     SELECT id, $1 FROM numbers`,
    ['x'.repeat(1000)],
  );
  const columns = {
    id: { column: 'id', holds: 'integer' },
    text: { column: 'text', holds: 'text' },
  } as const;
  const notes = list<{ id: number; text: string }>({ table: 'note', columns, revision: 'note_revision' });
  /** Reads seven megabytes of the list, and leaves the rest. */
  async function begin(): Promise<AsyncIterator<string>> {
    const texts = ((await notes.read()) as Batches)[Symbol.asyncIterator]();
    for (let count = 1; count <= 7; count += 1) await texts.next();
    return texts;
  }
  for await (const batch of (await notes.read()) as Batches) expect(batch).not.toBe('');
  const before = heapInMegabytes();
  const readers = await Promise.all(Array.from({ length: 30 }, begin));
  expect(heapInMegabytes() - before).toBeLessThan(100);
  expect(readers).toHaveLength(30);
  database.close();
  file.close();
});
