import { describeWith } from '@contract-kit/test-support';
import { newFolder, shared, startPgBouncer, startPostgres, until } from '@contract-kit/test-support/testing';
import { readFileSync } from 'node:fs';
import { MAX_CONNECTIONS } from '../../src/database/postgres/database.ts';
import { command, startTestService } from '../library/service.ts';

/* Passwords and poolers between the service and its database. */

test('the page about scaling plans as many connections for an instance as it opens', () => {
  const page = readFileSync(new URL('../../../../../docs/scaling.md', import.meta.url), 'utf8');
  expect(page).toContain(`20 + ${MAX_CONNECTIONS} × instances`);
});

describeWith(['PostgreSQL'], 'PostgreSQL that asks for a password', () => {
  const postgres = shared(startPostgres);
  const role = { name: 'shop', password: 'se:cr@t' };
  let url: URL;

  beforeAll(async () => {
    url = new URL(await postgres.createDatabase());
    url.username = role.name;
    await postgres.run(`CREATE ROLE ${role.name} LOGIN SUPERUSER PASSWORD '${role.password}'`);
    const [settings] = await postgres.run<{ hba_file: string }>('SHOW hba_file');
    const rules = [`host all ${role.name} all scram-sha-256`, 'host all all all trust'];
    const lines = rules.map((rule) => `('${rule}')`).join(', ');
    await postgres.run(`COPY (VALUES ${lines}) TO '${settings?.hba_file}'`);
    // PostgreSQL waits this long for a password.
    await postgres.run("ALTER SYSTEM SET authentication_timeout = '10min'");
    await postgres.run('SELECT pg_reload_conf()');
  });

  const at = (password: string) => {
    const withPassword = new URL(url);
    withPassword.password = encodeURIComponent(password);
    return withPassword.href;
  };

  test.each([
    ['serve', '--port', '0'],
    ['keys', 'list'],
  ])('%s without one exits at once with the reason', async (...args) => {
    const env = { DATABASE_URL: at(''), LOG_LEVEL: 'error' };
    expect(await command.resultOfRejection(args, { dataDir: newFolder(), env })).toContain(
      'PostgreSQL asks for a password, and DATABASE_URL has none',
    );
  });

  test('a start with a wrong one fails with the reason, without secrets', async () => {
    const start = startTestService({ env: { DATABASE_URL: at('wrong-secret') } });
    await expect(start).rejects.toThrow(/^(?!.*wrong-secret).*PostgreSQL rejects the password$/);
  });

  test('a password of reserved characters works if it is percent-encoded', async () => {
    const env = { DATABASE_URL: at(role.password) };
    expect(await command.json(['keys', 'list'], { dataDir: newFolder(), env })).toEqual([]);
  });

  test('/readyz reports a changed password, without secrets', async () => {
    const service = await startTestService({ env: { DATABASE_URL: at(role.password) } });
    await postgres.run(`ALTER ROLE ${role.name} PASSWORD 'another'`);
    await postgres.run(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role.name}'`,
    );
    // Not at once: the connections that are ended here fail first.
    await until(
      async () => (await service.readiness()).join() === '503,the database: PostgreSQL rejects the password',
    );
    await postgres.run(`ALTER ROLE ${role.name} PASSWORD '${role.password}'`);
    await until(async () => (await service.readiness())[0] === 200);
  });
});

describeWith(['PostgreSQL', 'PgBouncer'], 'PgBouncer', () => {
  const postgres = shared(startPostgres);
  const pooled = async (...settings: string[]) =>
    startPgBouncer({ database: await postgres.createDatabase(), settings });

  test.each([
    ['transaction', ''],
    ['transaction', 'statement_timeout'],
    ['statement', 'statement_timeout'],
  ])('in %s mode that ignores the parameters "%s" is rejected at the start', async (mode, ignored) => {
    const DATABASE_URL = await pooled(`pool_mode = ${mode}`, `ignore_startup_parameters = ${ignored}`);
    await expect(startTestService({ env: { DATABASE_URL } })).rejects.toThrow(
      'DATABASE_URL is a pooler in transaction or statement mode, such as PgBouncer: ' +
        'use its session mode, or connect to PostgreSQL directly',
    );
  });

  test('in session mode serves requests', async () => {
    const service = await startTestService({ env: { DATABASE_URL: await pooled('pool_mode = session') } });
    await service.addLoans([{ id: 1 }]);
    const key = await service.key();
    expect((await service.cancel(1, key)).status).toBe(204);
    expect((await service.list(key)).status).toBe(200);
  });
});
