import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { userInfo } from 'node:os';
import { describeWith } from '@contract-kit/test-support';
import {
  newFolder,
  shared,
  startPostgres,
  startRedis,
  type Served,
  until,
} from '@contract-kit/test-support/testing';
import { bin, command, withStore } from '../library/service.ts';

/* Bans and the audit log, as the operator sees them. */

const operator = userInfo().username;
const QUOTA = ['--plan', 'enterprise', '--per-minute', '2', '--per-day', '100'];

interface Shown {
  readonly id: string;
  readonly key: string;
  readonly bannedUntil?: string;
}

const run = <Value>(dataDir: string, args: readonly string[], env = {}) =>
  command.json<Value>(args, { dataDir, env });

async function request({ origin }: Served, key: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const headers = { authorization: `Bearer ${key}` };
    statuses.push((await fetch(`${origin}/v1/loans`, { headers })).status);
  }
  return statuses;
}

/** Takes a key from creation to revocation. `env` says where limits are counted. */
async function tryBans(env: Record<string, string>): Promise<void> {
  const dataDir = newFolder();
  const { id, key } = await run<Shown>(dataDir, ['keys', 'create', '--name', 'shop', ...QUOTA], env);
  const server = await command.serve({ dataDir, env });
  expect(await request(server, key, 1)).toEqual([200]);
  // Counts are written within a second, bans at once.
  await until(async () => {
    const shown = await run<{ remaining: number }>(dataDir, ['keys', 'show', id], env);
    return shown.remaining === 1;
  });
  expect(await request(server, key, 4)).toEqual([200, 429, 429, 429]);

  const aTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
  expect(await run(dataDir, ['keys', 'list'], env)).toMatchObject([{ id, bannedUntil: aTime }]);
  const shown = await run(dataDir, ['keys', 'show', id], env);
  expect(shown).toMatchObject({ bannedUntil: aTime, remaining: 0 });
  await run(dataDir, ['keys', 'unban', id], env);
  expect((await run<Shown[]>(dataDir, ['keys', 'list'], env))[0]?.bannedUntil).toBeUndefined();
  await run(dataDir, ['keys', 'change', id, '--plan', 'pro'], env);
  // The new quota holds in the running windows.
  await until(async () => {
    const response = await fetch(`${server.origin}/v1/loans`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return response.headers.get('x-ratelimit-limit') === '300' && response.status === 200;
  });
  await run(dataDir, ['keys', 'revoke', id], env);
  await run(dataDir, ['keys', 'revoke', id], env);
  await server.kill('SIGTERM');

  expect(await run(dataDir, ['audit'], env)).toEqual(
    ['created', 'banned', 'unbanned', 'changed', 'revoked'].map((action) => ({
      at: aTime,
      action,
      keyId: id,
      actor: action === 'banned' ? 'service' : operator,
      ...(action === 'changed' && {
        changes: 'plan enterprise → pro, per minute 2 → 300, per day 100 → 10000',
      }),
    })),
  );
  const line = server.output.stdout.split('\n').find((part) => part.includes('"key banned"')) ?? '{}';
  expect(JSON.parse(line)).toMatchObject({ keyId: id, plan: 'enterprise', address: '127.0.0.1' });
}

test('shows bans with their end, and the whole life of a key in the audit log', async () => {
  await tryBans({});
});

describeWith(['PostgreSQL', 'Redis'], 'with PostgreSQL and Redis', () => {
  const postgres = shared(startPostgres);
  const redis = shared(startRedis);

  test('the same holds', async () => {
    await tryBans({ DATABASE_URL: await postgres.createDatabase(), REDIS_URL: redis.url });
  });
});

test('a restore removes nothing from the audit log, and adds the entries of the backup', async () => {
  const dataDir = newFolder();
  const backup = path.join(newFolder(), 'backup.db');
  const { id } = await run<Shown>(dataDir, ['keys', 'create', '--name', 'shop', ...QUOTA]);
  await run(dataDir, ['backup', backup]);
  await run(dataDir, ['keys', 'revoke', id]);
  const other = newFolder();
  for (const folder of [dataDir, other]) await run(folder, ['restore', backup]);
  const actionsIn = (folder: string) =>
    withStore(folder, async ({ keys }) => (await keys.listAudit()).map(({ action }) => action));
  expect(await actionsIn(dataDir)).toEqual(['created', 'revoked']);
  expect(await actionsIn(other)).toEqual(['created']);
});

describeWith(['unshare'], 'a user without a name, as in a container', () => {
  test('is named by its number in the audit log', async () => {
    const dataDir = newFolder();
    const create = [bin, 'keys', 'create', '--name', 'shop', ...QUOTA];
    execFileSync('unshare', ['--map-user=54321', process.execPath, ...create], {
      env: { DATA_DIR: dataDir },
    });
    expect(await run(dataDir, ['audit'])).toMatchObject([{ action: 'created', actor: 'uid 54321' }]);
  });
});
