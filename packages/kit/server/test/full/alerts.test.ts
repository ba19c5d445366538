import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeWith, freePort, pathOf, startNginx } from '@contract-kit/local-stack';
import { newFolder, shared, startPostgres, stopAtEnd, until } from '@contract-kit/local-stack/testing';
import { parse } from 'yaml';
import { servePetstore } from '../support/command.ts';
import { startTestService } from '../support/service.ts';
import { root } from '../support/workspace.ts';

/* The rules of deploy/alerts.yml, evaluated with metrics that are scraped during a fault. */

const file = path.join(root, 'deploy/alerts.yml');
const rules = parse(readFileSync(file, 'utf8')) as { groups: { rules: { alert: string }[] }[] };
const names = rules.groups.flatMap((group) => group.rules.map(({ alert }) => alert));

/** Series by name, a value for each minute, or `_` before it exists. */
type Series = ReadonlyMap<string, readonly (number | '_')[]>;

/** The names of the alerts that fire after 12 minutes. */
function firing(series: Series): string[] {
  const test = path.join(newFolder(), 'test.json');
  const input_series = [...series].map(([name, values]) => ({ series: name, values: values.join(' ') }));
  const alert_rule_test = names.map((alertname) => ({ eval_time: '12m', alertname, exp_alerts: [] }));
  const tests = [{ interval: '1m', input_series, alert_rule_test }];
  writeFileSync(test, JSON.stringify({ rule_files: [file], evaluation_interval: '1m', tests }));
  const { stdout, stderr } = spawnSync(pathOf('promtool'), ['test', 'rules', test], { encoding: 'utf8' });
  return [...new Set([...`${stdout}${stderr}`.matchAll(/alertname: (\w+),/g)].map(([, name = '']) => name))];
}

/** Scrapes metrics 13 times, and calls `work` before each scrape. */
async function scrape(read: () => Promise<string>, work: () => Promise<unknown>): Promise<Series> {
  const series = new Map<string, (number | '_')[]>();
  for (let minute = 0; minute < 13; minute += 1) {
    await work();
    for (const [, name = '', labels = '', value] of (await read()).matchAll(SAMPLE)) {
      const key = `${name}{job="petstore",instance="a"${labels && `,${labels}`}}`;
      const before = series.get(key) ?? Array.from({ length: minute }, () => '_' as const);
      series.set(key, [...before, Number(value)]);
    }
  }
  return series;
}

/** No metric of a backup is scraped here. */
const withoutBackup = (names: readonly string[]) => names.filter((name) => name !== 'PetstoreBackupUnknown');

const SAMPLE = /^((?:petstore|process)_\w+)(?:{(.*)})? (\S+)$/gm;
const metricsOf = (origin: string) => async () => (await fetch(`${origin}/metrics`)).text();

test('the tables of failures name every alert, and no other', () => {
  const documents = ['operating', 'scaling'].map((name) =>
    readFileSync(path.join(root, `docs/${name}.md`), 'utf8'),
  );
  const tables = documents.join('\n').match(/^\|.*\| Alert +\|\n(\|.*\n)+/gm) ?? [];
  const named = tables.flatMap((table) =>
    [...table.matchAll(/\| ([^|]+)\|$/gm)].flatMap(([, alerts = '']) => alerts.match(/\b[A-Z]\w+/g) ?? []),
  );
  expect(new Set(named)).toEqual(new Set(['Alert', ...names.map((name) => name.replace('Petstore', ''))]));
});

describeWith(['PostgreSQL', 'promtool'], 'an alert fires', () => {
  const postgres = shared(() => startPostgres());

  async function startWithOrders() {
    const url = await postgres.createDatabase();
    const service = await startTestService({ env: { DATABASE_URL: url } });
    const key = await service.unlimitedKey();
    const list = () => service.request('/v1/store/orders', { key });
    const cancel = (id: number, init?: RequestInit) =>
      service.request(`/v1/store/orders/${id}`, { method: 'DELETE', key, ...init });
    await postgres.run('INSERT INTO orders (id) SELECT generate_series(1, 20)', url);
    expect([(await list()).status, (await cancel(1)).status]).toEqual([200, 204]);
    return { ...service, url, list, cancel };
  }

  test('and none without a fault', async () => {
    const { origin, list, cancel } = await startWithOrders();
    expect(
      withoutBackup(firing(await scrape(metricsOf(origin), () => Promise.all([list(), cancel(1)])))),
    ).toEqual([]);
  });

  test('while PostgreSQL is read-only, as after a failover whose name has not moved', async () => {
    const { origin, url, list, cancel } = await startWithOrders();
    const name = new URL(url).pathname.slice(1);
    await postgres.run(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await postgres.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
    await until(async () => (await list()).status === 200);
    let id = 1;
    const change = () => cancel((id += 1));
    const series = await scrape(metricsOf(origin), () => Promise.all([list(), change()]));
    expect(firing(series)).toContain('PetstoreFailing');
  });

  test('while clients give up before a frozen database lets the service respond', async () => {
    const { origin, url, cancel } = await startWithOrders();
    const release = await postgres.hold(url, 'LOCK TABLE orders');
    const giveUp = () => cancel(2, { signal: AbortSignal.timeout(300) }).catch(() => undefined);
    const series = await scrape(metricsOf(origin), () => Promise.all([giveUp(), giveUp(), giveUp()]));
    await release();
    expect(firing(series)).toContain('PetstoreGivenUp');
  });

  test('while a column that the service needs is gone', async () => {
    const { origin, url, cancel } = await startWithOrders();
    await postgres.run('ALTER TABLE orders RENAME COLUMN status TO state', url);
    expect(firing(await scrape(metricsOf(origin), () => cancel(2)))).toContain('PetstoreFailing');
  });
});

describeWith(['nginx', 'promtool'], 'an alert fires', () => {
  test('while nginx has no instance that responds', async () => {
    const folder = newFolder();
    const service = await startTestService({ env: { TRUST_PROXY: '127.0.0.1' } });
    const port = await freePort();
    const instances = [Number(new URL(service.origin).port)];
    const nginx = await startNginx({ folder, port, instances });
    stopAtEnd('service', () => nginx.end('SIGTERM'));
    const list = async () => (await fetch(`http://127.0.0.1:${port}/v1/store/orders`)).status;
    // As petstore-nginx-metrics.service runs it.
    const read = () => {
      const env = { PATH: process.env['PATH'], NGINX_LOG: `${folder}/access.log`, METRICS_DIR: folder };
      execFileSync(path.join(root, 'deploy/nginx-metrics.sh'), { env });
      return Promise.resolve(readFileSync(path.join(folder, 'petstore_nginx.prom'), 'utf8'));
    };
    // 401 is a response of the instance.
    expect(withoutBackup(firing(await scrape(read, list)))).toEqual([]);
    await service.stop();
    expect(await list()).toBe(503);
    expect(firing(await scrape(read, list))).toContain('PetstoreNginxFailing');
  });
});

describeWith(['promtool'], 'an alert fires', () => {
  test('while a supervisor starts an instance again and again', async () => {
    const port = String(await freePort());
    const origin = `http://127.0.0.1:${port}`;
    const dataDir = newFolder();
    const start = () => servePetstore({ dataDir }, ['--port', port]);
    let server = await start();
    const serve = async () => (await fetch(`${origin}/healthz`)).status;
    expect(withoutBackup(firing(await scrape(metricsOf(origin), serve)))).toEqual([]);
    let restarts = 0;
    const restart = async () => {
      if ((restarts += 1) > 4) return;
      const startedAt = Math.ceil(Date.now() / 1000);
      await server.kill('SIGKILL');
      // The metric is in whole seconds.
      await until(() => Date.now() / 1000 > startedAt);
      server = await start();
    };
    expect(firing(await scrape(metricsOf(origin), restart))).toContain('PetstoreRestarts');
  });
});

describeWith(['promtool'], 'the alert for old backups fires', () => {
  const HOUR = 3_600;
  test.each([
    ['if the last one is old', -27 * HOUR, true],
    ['if a clock that is a year ahead made it', 365 * 24 * HOUR, true],
    ['not for last night’s', -20 * HOUR, false],
  ])('%s', (_, offset, fires) => {
    // promtool's clock begins at 0.
    const values = Array.from({ length: 13 }, () => offset);
    expect(firing(new Map([['petstore_backup_seconds', values]])).includes('PetstoreBackupOld')).toBe(fires);
  });
});

describeWith(['promtool'], 'the alert for background work fires', () => {
  const minutes = Array.from({ length: 13 }, (_, minute) => minute);
  test.each([
    ['friction 2: if it crashes again and again', (minute: number) => 1 + minute, true],
    ['friction 2: not for one crash', (minute: number) => (minute < 6 ? 0 : 1), false],
  ])('%s', (_, crashes, fires) => {
    // The metric of a service that has such work.
    const name = 'petstore_background_failures_total{job="petstore",instance="a",feature="payments"}';
    expect(firing(new Map([[name, minutes.map(crashes)]])).includes('PetstoreBackgroundFails')).toBe(fires);
  });
});

test('a clock that is a year ahead during a backup deletes no backup', () => {
  const [folder, dataDir] = [newFolder(), newFolder()];
  const program = path.join(newFolder(), 'program.mjs');
  // Stands for the service, whose backups other suites test.
  writeFileSync(
    program,
    `import { writeFileSync } from 'node:fs';
     const [command, , file] = process.argv.slice(2);
     if (command === 'backup') for (const name of [file, file + '.sha256']) writeFileSync(name, 'unchecked.db');`,
  );
  const now = Date.now() / 1000;
  const touch = (name: string, days: number) => {
    const file = path.join(folder, name);
    writeFileSync(file, '');
    execFileSync('touch', ['-d', `@${Math.round(now - days * 86_400)}`, file]);
  };
  for (let days = 1; days <= 20; days += 1)
    for (const end of ['', '.sha256'])
      touch(`petstore-202601${String(40 - days)}T000000Z.db${end}`, days + 365);
  const run = () =>
    execFileSync('sh', [path.join(root, 'deploy/backup.sh')], {
      env: { PATH: process.env['PATH'], PETSTORE: program, DATA_DIR: dataDir, BACKUP_DIR: folder },
    });
  run();
  const left = execFileSync('ls', [folder], { encoding: 'utf8' }).trim().split('\n');
  // The 14 newest, the new one among them, each with its checksum. The others are old.
  expect(left.filter((name) => name.endsWith('.db'))).toHaveLength(14);
  expect(left.filter((name) => name.endsWith('.sha256'))).toHaveLength(14);
});
