import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeWith } from '@contract-kit/test-support';
import { newFolder, startPostgres, startRedis, startRelay, until } from '@contract-kit/test-support/testing';
import { command, newKey, numbered, startTestService } from '../library/service.ts';

/** A service whose DATABASE_URL is a name that can move from its primary. */
async function startByName() {
  const primary = await startPostgres();
  const name = await startRelay(primary.port);
  const url = new URL(await primary.createDatabase());
  url.port = String(name.port);
  const service = await startTestService({ env: { DATABASE_URL: url.href } });
  return { primary, name, service, key: await service.unlimitedKey() };
}

describeWith(['PostgreSQL'], 'a failover of PostgreSQL by name', () => {
  test('is recovered from without a restart, even if the old primary returns as a standby before the name moves', async () => {
    const { primary, name, service, key } = await startByName();
    await service.addLoans(numbered(40));
    const cancel = async (id: number) => (await service.cancel(id, key)).status;
    /** Opens every connection of the pool. */
    const listAtOnce = async () =>
      Promise.all(Array.from({ length: 30 }, async () => (await service.list(key)).status));
    expect(await cancel(1)).toBe(204);

    const standby = await startPostgres({ standbyOf: primary.port });
    await primary.stop();
    expect(await cancel(2)).toBe(503);
    await standby.run('SELECT pg_promote()');
    const returned = await startPostgres({ port: primary.port, standbyOf: standby.port });
    await until(async () => (await listAtOnce()).every((status) => status === 200));
    // Changes fail, but no connection to the old primary is kept alive by asking whether it is ready.
    for (let id = 3; id < 10; id += 1) expect(await cancel(id)).toBe(503);
    expect(await service.readiness()).toEqual([503, 'the database: it is read-only or a standby']);
    await listAtOnce();

    name.moveTo(standby.port);
    await until(async () => (await service.readiness())[0] === 200);
    for (let id = 1; id <= 40; id += 1) expect([id, await cancel(id)]).toEqual([id, 204]);
    await listAtOnce();
    expect(await service.cancelled()).toEqual(numbered(40).map(({ id }) => id));
    const left = `SELECT FROM pg_stat_activity WHERE application_name = 'library'`;
    await until(async () => (await returned.run(left)).length === 0);
    expect(service.messages('database').at(-1)).toBe('database back: requests are served again');
  });

  test('after the name has moved, even the first change succeeds', async () => {
    const { primary, name, service, key } = await startByName();
    await service.addLoans([{ id: 1 }]);
    const standby = await startPostgres({ standbyOf: primary.port });
    expect((await service.list(key)).status).toBe(200);
    // As a planned switch does: the old primary takes no more changes, and its connections stay.
    await primary.run('ALTER SYSTEM SET default_transaction_read_only = on');
    await primary.run('SELECT pg_reload_conf()');
    await standby.run('SELECT pg_promote()');
    name.moveTo(standby.port);
    expect((await service.cancel(1, key)).status).toBe(204);
    expect(await service.cancelled()).toEqual([1]);
  });
});

describeWith(
  ['PostgreSQL', 'Redis', 'unshare'],
  'while the names of PostgreSQL and Redis do not resolve',
  () => {
    test('open connections go on, lost ones are not replaced, and all is well when the names resolve', async () => {
      const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
      const url = await postgres.createDatabase();
      const service = await startTestService({ env: { DATABASE_URL: url } });
      await service.addLoans([{ id: 1 }]);
      const key = await newKey(service.store);
      await service.stop();

      // Only the started service sees these files: no server responds on port 53 of the second.
      const [hosts = '', resolver = ''] = ['hosts', 'resolv.conf'].map((name) =>
        path.join(newFolder(), name),
      );
      const resolve = (names: string) => writeFileSync(hosts, `127.0.0.1 localhost ${names}\n`);
      writeFileSync(resolver, 'nameserver 127.0.0.1\n');
      resolve('database.test limits.test');
      const { origin } = await command.serve({
        dataDir: newFolder(),
        mount: `mount --bind ${hosts} /etc/hosts && mount --bind ${resolver} /etc/resolv.conf`,
        env: {
          DATABASE_URL: url.replace('127.0.0.1', 'database.test'),
          REDIS_URL: redis.url.replace('127.0.0.1', 'limits.test'),
        },
      });
      const request = (method: string, target: string) =>
        fetch(origin + target, { method, headers: { authorization: `Bearer ${key}` } });
      const cancel = async () => (await request('DELETE', '/v1/loans/1')).status;
      const isReady = async () => (await request('GET', '/readyz')).status === 200;
      const isAlone = async () =>
        (await (await request('GET', '/metrics')).text()).includes('\nlibrary_limiter_fallback 1\n');
      expect([await cancel(), await isReady(), await isAlone()]).toEqual([204, true, false]);

      resolve('');
      expect([await cancel(), await isReady(), await isAlone()]).toEqual([204, true, false]);
      await redis.stop();
      await redis.start();
      await until(async () => (await cancel()) === 204 && (await isAlone()));
      await postgres.run(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()',
      );
      await until(async () => !(await isReady()));
      expect(await cancel()).toBe(503);

      resolve('database.test limits.test');
      await until(async () => (await isReady()) && !(await isAlone()));
      expect(await cancel()).toBe(204);
    });
  },
);
