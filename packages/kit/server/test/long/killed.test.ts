import { describeWith } from '@contract-kit/test-support';
import {
  newFolder,
  shared,
  startPostgres,
  startRedis,
  type Served,
  until,
} from '@contract-kit/test-support/testing';
import { importItems } from '@contract-kit/test-support/testing';
import {
  addManyLoans,
  command,
  newKey,
  numbered,
  startTestService,
  cancelledLoans,
  type Store,
  withStore,
} from '../library/service.ts';

const KILLS = 3;
const LOANS_PER_KILL = 600;
const CLIENTS = 8;

/** Adds the loans of one kill. Resolves to their ids. */
async function addLoans({ features: { loans } }: Store, kill: number): Promise<number[]> {
  const ids = numbered(LOANS_PER_KILL).map(({ id }) => kill * LOANS_PER_KILL + id);
  await importItems(
    loans,
    ids.map((id) => ({ id })),
  );
  return ids;
}

const cancelledIn = async ({ features: { loans } }: Store) => new Set(await cancelledLoans(loans));

/** Cancels `ids` until none is left or the server is gone, and adds the ids with a 204. */
async function cancelAll(origin: string, key: string, ids: number[], acknowledged: number[]): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
    const cancelling = fetch(`${origin}/v1/loans/${id}`, { method: 'DELETE', headers });
    const response = await cancelling.catch(() => undefined);
    if (!response) return;
    expect(response.status).toBe(204);
    acknowledged.push(id);
  }
}

/** Kills `server` during cancels, a little later each time. Resolves to the loans whose cancel got a 204. */
async function killAmidCancels(
  server: Served,
  key: string,
  ids: number[],
  kill: number,
  signal: NodeJS.Signals = 'SIGKILL',
) {
  const acknowledged: number[] = [];
  const clients = Array.from({ length: CLIENTS }, () => cancelAll(server.origin, key, ids, acknowledged));
  await until(() => acknowledged.length >= 10 + 13 * kill);
  await server.kill(signal);
  await Promise.all(clients);
  expect(ids.length).toBeGreaterThan(0);
  return acknowledged;
}

test(`${KILLS} times kill -9 of a server with the embedded store loses no acknowledged cancel`, async () => {
  const dataDir = newFolder();
  // Opened for each step: SQLite recovers only a file that nobody has open.
  const key = await withStore(dataDir, newKey);
  const acknowledged: number[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const ids = await withStore(dataDir, (store) => addLoans(store, kill));
    const server = await command.serve({ dataDir });
    acknowledged.push(...(await killAmidCancels(server, key, ids, kill)));
    const cancelled = await withStore(dataDir, cancelledIn);
    expect(acknowledged.filter((id) => !cancelled.has(id))).toEqual([]);
  }
});

test('a server that uses up its memory loses no acknowledged cancel, and starts again', async () => {
  const dataDir = newFolder();
  const key = await withStore(dataDir, newKey);
  const ids = await withStore(dataDir, (store) => addLoans(store, 0));
  const fill = `process.on('SIGUSR2', () => { for (const all = []; ; ) all.push(Array(1e5).fill(all)); });`;
  const NODE_OPTIONS = `--max-old-space-size=100 --import=data:text/javascript,${encodeURIComponent(fill)}`;
  const server = await command.serve({ dataDir, env: { NODE_OPTIONS } });
  const acknowledged = await killAmidCancels(server, key, ids, 0, 'SIGUSR2');
  expect(server.output.stderr).toContain('heap out of memory');
  const cancelled = await withStore(dataDir, cancelledIn);
  expect(acknowledged.filter((id) => !cancelled.has(id))).toEqual([]);
  const restarted = await command.serve({ dataDir });
  expect((await fetch(`${restarted.origin}/readyz`)).status).toBe(200);
});

test('a list that is being sent at a kill -9 does not look complete', async () => {
  const dataDir = newFolder();
  const key = await withStore(dataDir, newKey);
  addManyLoans(dataDir);
  const server = await command.serve({ dataDir });
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${server.origin}/v1/loans`, { headers });
  expect(response.status).toBe(200);
  await server.kill('SIGKILL');
  await expect(response.text()).rejects.toThrow('terminated');
});

describeWith(['PostgreSQL', 'Redis'], 'instances on one PostgreSQL and one Redis', () => {
  const postgres = shared(startPostgres);
  const redis = shared(startRedis);

  test(`${KILLS} times kill -9 of one loses no acknowledged cancel, and fails none of the other`, async () => {
    const env = { DATABASE_URL: await postgres.createDatabase(), REDIS_URL: redis.url, INSTANCES: '2' };
    const { origin, store } = await startTestService({ env });
    const key = await newKey(store);
    const acknowledged: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const ids = await addLoans(store, kill);
      const shared = ids.splice(0, 100);
      const server = await command.serve({ dataDir: newFolder(), env });
      const others = cancelAll(origin, key, shared, acknowledged);
      acknowledged.push(...(await killAmidCancels(server, key, ids, kill)));
      await others;
      expect(shared).toEqual([]);
      const cancelled = await cancelledIn(store);
      expect(acknowledged.filter((id) => !cancelled.has(id))).toEqual([]);
    }
  });
});
