import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { StoreUnavailable } from '../../src/index.ts';
import { describeWith } from '@contract-kit/test-support';
import { openPostgresDatabase } from '../../src/database/postgres/database.ts';
import { newFolder, shared, startPostgres, startRelay, until } from '@contract-kit/test-support/testing';
import {
  command,
  numbered,
  openPostgresStore,
  startTestService,
  storedLoans,
  type Store,
} from '../library/service.ts';

describeWith(['PostgreSQL'], 'PostgreSQL', () => {
  const postgres = shared(startPostgres);

  const open = async (url?: string): Promise<Store> =>
    openPostgresStore({ url: url ?? (await postgres.createDatabase()) });

  const start = async (url?: string) =>
    startTestService({ env: { DATABASE_URL: url ?? (await postgres.createDatabase()) } });

  test('ten instances that start at once migrate once', async () => {
    const url = await postgres.createDatabase();
    const stores = await Promise.all(Array.from({ length: 10 }, () => open(url)));
    expect(await storedLoans((stores[9] as Store).features.loans)).toEqual([]);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('rejects a database that is newer than the program', async () => {
    const url = await postgres.createDatabase();
    await (await open(url)).close();
    await postgres.run('UPDATE service_schema SET version = 99', url);
    await expect(open(url)).rejects.toThrow('newer than this program');
  });

  test.concurrent('an exhausted pool leads to 503, never to a hang', async () => {
    const store = await open();
    const { loans } = store.features;
    // One after the other, and again: a busy machine may not connect in time.
    const imports: Awaited<ReturnType<typeof loans.beginImport>>[] = [];
    await until(async () => {
      const begun = await loans.beginImport().catch((error: unknown) => {
        if (!(error instanceof StoreUnavailable)) throw error;
      });
      if (begun) imports.push(begun);
      return imports.length === 10;
    });
    await expect(store.ping()).rejects.toThrow(StoreUnavailable);
    await Promise.all(imports.map((importing) => importing.abandon()));
    await store.ping();
    await store.close();
  });

  test.concurrent('an import may wait longer than a request', async () => {
    const url = await postgres.createDatabase();
    const store = await open(url);
    const underway = await store.features.loans.beginImport();
    await underway.stage([{ line: 1 }]);
    const release = await postgres.hold(url, 'LOCK TABLE loans');
    setTimeout(() => void release(), 7_000);
    expect(await underway.commit()).toEqual([]);
    await store.close();
  });

  test.each([
    ['interrupted', 'pid', 'SIGINT'],
    ['cut off', 'pg_terminate_backend(pid)', undefined],
  ] as const)(
    'an import that is %s during its commit reports no outcome that it cannot know',
    async (_, what, signal) => {
      const url = await postgres.createDatabase();
      await (await open(url)).close();
      await postgres.run(
        `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(2); RETURN NULL; END';
       CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON loans DEFERRABLE INITIALLY DEFERRED
         FOR EACH ROW EXECUTE FUNCTION wait()`,
        url,
      );
      const committing = `SELECT ${what} FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
      const isCommitting = async () => (await postgres.run(committing, url)).length > 0;
      const dataDir = newFolder();
      const file = path.join(dataDir, 'loans.ndjson');
      writeFileSync(file, '{"id":1}');
      const importing = command.run(['loans', 'import', file], {
        dataDir,
        env: { DATABASE_URL: url },
        ...(signal && { stop: { signal, when: isCommitting } }),
      });
      if (!signal) await until(isCommitting);
      expect((await importing).stderr).toMatch(/^library: .*; either everything or nothing was imported\n$/);
    },
  );

  test('cut connections and a restarted server cause 503, then requests succeed again', async () => {
    const service = await start();
    const key = await service.key();
    await service.addLoans([{ id: 1 }]);
    const list = () => service.list(key);
    expect((await list()).status).toBe(200);

    await postgres.run(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'library'`,
    );
    const lost = () => service.logged.filter(({ msg }) => msg === 'a database connection was lost');
    // A statement that is sent meanwhile fails instead, and nothing is logged about its connection.
    await until(() => lost().length > 0);
    await until(async () => (await list()).status === 200);

    // The secret with which anybody can cancel statements of the connection.
    expect(JSON.stringify(lost())).not.toContain('secretKey');

    await postgres.stop();
    const down = await list();
    expect(down.status).toBe(503);
    expect(Number(down.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(down.headers.get('x-ratelimit-remaining')).not.toBeNull();
    // When the key must be looked up again, its validity is unknown: still not 401.
    service.clock.advance(5_000);
    expect((await list()).status).toBe(503);
    expect((await service.readiness())[0]).toBe(503);
    expect((await service.request('/healthz')).status).toBe(200);

    await postgres.start();
    await until(async () => (await list()).status === 200);
  });

  test('a list is cut if the database goes away, and continues after a cut connection', async () => {
    const name = await startRelay(postgres.port);
    const url = new URL(await postgres.createDatabase());
    const direct = url.href;
    url.port = String(name.port);
    const service = await start(url.href);
    const key = await service.unlimitedKey();
    await postgres.run('INSERT INTO loans (book_id) SELECT generate_series(1, 120000)', direct);
    const begin = async () => {
      const response = await service.list(key);
      expect(response.status).toBe(200);
      return response;
    };
    const continued = await begin();
    name.cut();
    expect(await continued.json()).toHaveLength(120_000);
    const lost = await begin();
    name.goAway();
    await expect(lost.text()).rejects.toThrow('terminated');
    name.comeBack();
    await until(async () => (await service.list(key)).status === 200);
  });

  test('a connection that PostgreSQL ends fails only its own statement', async () => {
    const accepted = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1');
    const ended = Buffer.from('E\0\0\0\x22SFATAL\0C57P01\0MEnded by hand\0\0', 'latin1');
    // Both arrive in one packet, so that no code of ours runs in between.
    const server = net.createServer((socket) =>
      socket.once('data', () => socket.end(Buffer.concat([accepted, ended]))),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as net.AddressInfo;
    const database = openPostgresDatabase({
      applicationName: 'test',
      url: `postgresql://a@127.0.0.1:${port}/b`,
    });
    await expect(database.query('SELECT 1')).rejects.toThrow(StoreUnavailable);
    await Promise.all([database.close(), once(server.close(), 'close')]);
  });

  test.concurrent('a server without free connections fails no request while the pool has some', async () => {
    const url = new URL(await postgres.createDatabase());
    await postgres.run('CREATE ROLE shop LOGIN CONNECTION LIMIT 2');
    await postgres.run(`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO shop`);
    url.username = 'shop';
    const service = await start(url.href);
    const key = await service.unlimitedKey();
    await service.addLoans(numbered(100));
    const cancels = await Promise.all(numbered(100).map(({ id }) => service.cancel(id, key)));
    expect(new Set(cancels.map(({ status }) => status))).toEqual(new Set([204]));
  });

  test('a locked table leaves connections for other requests and for /readyz', async () => {
    const url = await postgres.createDatabase();
    const service = await start(url);
    const key = await service.unlimitedKey();
    const release = await postgres.hold(url, 'LOCK TABLE loans');
    const cancels = numbered(20).map(({ id }) => service.cancel(id, key));
    // This key must be looked up.
    expect((await service.request('/v1/none', { key: await service.key() })).status).toBe(404);
    expect(await service.readiness()).toEqual([200, undefined]);
    await release();
    await Promise.all(cancels);
  });

  test('without permission to read a table, the service is not ready and responds with 503', async () => {
    const url = new URL(await postgres.createDatabase());
    const run = (sql: string) => postgres.run(sql, url.href);
    const key = await (await start(url.href)).unlimitedKey();
    await postgres.run('CREATE ROLE clerk LOGIN');
    await run('GRANT ALL ON SCHEMA public TO clerk; GRANT ALL ON ALL TABLES IN SCHEMA public TO clerk');
    const as = new URL(url);
    as.username = 'clerk';
    const service = await start(as.href);
    const statuses = async () => [(await service.list(key)).status, (await service.readiness())[0]];
    expect(await statuses()).toEqual([200, 200]);
    await run('REVOKE ALL ON loans FROM clerk');
    for (let times = 0; times < 5; times += 1) expect(await statuses()).toEqual([503, 503]);
    await run('GRANT ALL ON loans TO clerk');
    await until(async () => (await statuses())[1] === 200);
    expect(await statuses()).toEqual([200, 200]);
    expect(service.messages('database')).toEqual([
      expect.stringMatching(/^database lost: permission denied/),
      'database back: requests are served again',
    ]);
  });
});
