import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeWith, freePort, pathOf, startNginx } from '@contract-kit/test-support';
import { newFolder, shared, startPostgres, stopAtEnd, until } from '@contract-kit/test-support/testing';
import { parse } from 'yaml';
import { contractText } from '@contract-kit/test-support/contracts';
import { contract } from '../library/contract.ts';
import { renderDeploy } from '../library/deployed.ts';
import { command, startTestService } from '../library/service.ts';

/* The rules of deploy/alerts.yml, evaluated with metrics that are scraped during a fault. */

const rendered = shared(() => renderDeploy(contractText, contract));
let file: string;
let names: string[];
beforeAll(() => {
  file = path.join(rendered.deploy, 'alerts.yml');
  const rules = parse(readFileSync(file, 'utf8')) as { groups: { rules: { alert: string }[] }[] };
  names = rules.groups.flatMap((group) => group.rules.map(({ alert }) => alert));
});

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
      const key = `${name}{job="library",instance="a"${labels && `,${labels}`}}`;
      const before = series.get(key) ?? Array.from({ length: minute }, () => '_' as const);
      series.set(key, [...before, Number(value)]);
    }
  }
  return series;
}

/** No metric of a backup is scraped here. */
const withoutBackup = (names: readonly string[]) => names.filter((name) => name !== 'LibraryBackupUnknown');

const SAMPLE = /^((?:library|process)_\w+)(?:{(.*)})? (\S+)$/gm;
const metricsOf = (origin: string) => async () => (await fetch(`${origin}/metrics`)).text();

test('the tables of failures name every alert, and no other', () => {
  const documents = ['operating', 'scaling'].map((name) => rendered.files[`docs/${name}.md`]);
  const tables = documents.join('\n').match(/^\|.*\| Alert +\|\n(\|.*\n)+/gm) ?? [];
  const named = tables.flatMap((table) =>
    [...table.matchAll(/\| ([^|]+)\|$/gm)].flatMap(([, alerts = '']) => alerts.match(/\b[A-Z]\w+/g) ?? []),
  );
  expect(new Set(named)).toEqual(new Set(['Alert', ...names.map((name) => name.replace('Library', ''))]));
});

describeWith(['PostgreSQL', 'promtool'], 'an alert fires', () => {
  const postgres = shared(() => startPostgres());

  async function startWithLoans() {
    const url = await postgres.createDatabase();
    const service = await startTestService({ env: { DATABASE_URL: url } });
    const key = await service.unlimitedKey();
    const list = () => service.request('/v1/loans', { key });
    const cancel = (id: number, init?: RequestInit) =>
      service.request(`/v1/loans/${id}`, { method: 'DELETE', key, ...init });
    await postgres.run(
      `INSERT INTO loans (id, book_id, days, due_date, returned)
       SELECT id, 1, 1, '2026-11-21T12:00:00.000Z', false FROM generate_series(1, 20) AS id`,
      url,
    );
    expect([(await list()).status, (await cancel(1)).status]).toEqual([200, 204]);
    return { ...service, url, list, cancel };
  }

  test('and none without a fault', async () => {
    const { origin, list, cancel } = await startWithLoans();
    expect(
      withoutBackup(firing(await scrape(metricsOf(origin), () => Promise.all([list(), cancel(1)])))),
    ).toEqual([]);
  });

  test('while PostgreSQL is read-only, as after a failover whose name has not moved', async () => {
    const { origin, url, list, cancel } = await startWithLoans();
    const name = new URL(url).pathname.slice(1);
    await postgres.run(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await postgres.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`);
    await until(async () => (await list()).status === 200);
    let id = 1;
    const change = () => cancel((id += 1));
    const series = await scrape(metricsOf(origin), () => Promise.all([list(), change()]));
    expect(firing(series)).toContain('LibraryFailing');
  });

  test('while clients give up before a frozen database lets the service respond', async () => {
    const { origin, url, cancel } = await startWithLoans();
    const release = await postgres.hold(url, 'LOCK TABLE loans');
    const giveUp = () => cancel(2, { signal: AbortSignal.timeout(300) }).catch(() => undefined);
    const series = await scrape(metricsOf(origin), () => Promise.all([giveUp(), giveUp(), giveUp()]));
    await release();
    expect(firing(series)).toContain('LibraryGivenUp');
  });

  test('while a column that the service needs is gone', async () => {
    const { origin, url, cancel } = await startWithLoans();
    await postgres.run('ALTER TABLE loans RENAME COLUMN returned TO back', url);
    expect(firing(await scrape(metricsOf(origin), () => cancel(2)))).toContain('LibraryFailing');
  });
});

describeWith(['nginx', 'promtool'], 'an alert fires', () => {
  test('while nginx has no instance that responds', async () => {
    const folder = newFolder();
    const service = await startTestService({ env: { TRUST_PROXY: '127.0.0.1' } });
    const port = await freePort();
    const instances = [Number(new URL(service.origin).port)];
    const nginx = await startNginx({ folder, port, instances, deploy: rendered.deploy });
    stopAtEnd('service', () => nginx.end('SIGTERM'));
    const list = async () => (await fetch(`http://127.0.0.1:${port}/v1/loans`)).status;
    // As library-nginx-metrics.service runs it.
    const read = () => {
      const env = { PATH: process.env['PATH'], NGINX_LOG: `${folder}/access.log`, METRICS_DIR: folder };
      execFileSync(path.join(rendered.deploy, 'nginx-metrics.sh'), { env });
      return Promise.resolve(readFileSync(path.join(folder, 'library_nginx.prom'), 'utf8'));
    };
    // 401 is a response of the instance.
    expect(withoutBackup(firing(await scrape(read, list)))).toEqual([]);
    await service.stop();
    expect(await list()).toBe(503);
    expect(firing(await scrape(read, list))).toContain('LibraryNginxFailing');
  });
});

describeWith(['promtool'], 'an alert fires', () => {
  test('while a supervisor starts an instance again and again', async () => {
    const port = String(await freePort());
    const origin = `http://127.0.0.1:${port}`;
    const dataDir = newFolder();
    const start = () => command.serve({ dataDir }, ['--port', port]);
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
    expect(firing(await scrape(metricsOf(origin), restart))).toContain('LibraryRestarts');
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
    expect(firing(new Map([['library_backup_seconds', values]])).includes('LibraryBackupOld')).toBe(fires);
  });
});

describeWith(['promtool'], 'the alert for background work fires', () => {
  const minutes = Array.from({ length: 13 }, (_, minute) => minute);
  test.each([
    ['if it crashes again and again', (minute: number) => 1 + minute, true],
    ['not for one crash', (minute: number) => (minute < 6 ? 0 : 1), false],
  ])('%s', (_, crashes, fires) => {
    // The metric of a service that has such work.
    const name = 'library_background_failures_total{job="library",instance="a",feature="payments"}';
    expect(firing(new Map([[name, minutes.map(crashes)]])).includes('LibraryBackgroundFails')).toBe(fires);
  });
});

describeWith(['promtool'], 'the alerts for jobs fire', () => {
  const DEAD = 'library_jobs{job="library",instance="a",name="remind",state="dead"}';
  const OLDEST = 'library_jobs_oldest_seconds{job="library",instance="a",name="remind"}';
  test.each([
    ['if one is dead', DEAD, 1, ['LibraryJobsDead']],
    ['if one that is due waits for long', OLDEST, 700, ['LibraryJobsLate']],
    ['not if jobs wait for a minute', OLDEST, 60, []],
  ])('%s', (_, name, value, fire) => {
    const fired = firing(new Map([[name, Array.from({ length: 13 }, () => value)]]));
    expect(fired.filter((alert) => alert.startsWith('LibraryJobs'))).toEqual(fire);
  });

  test.each([
    ['if a tick is skipped', (minute: number) => (minute < 10 ? 0 : 1), true],
    ['not if one was skipped before', () => 1, false],
  ])('%s', (_, skips, fires) => {
    const name = 'library_job_ticks_skipped_total{job="library",instance="a",name="remind"}';
    const minutes = Array.from({ length: 13 }, (_, minute) => minute);
    expect(firing(new Map([[name, minutes.map(skips)]])).includes('LibraryJobTicksSkipped')).toBe(fires);
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
      touch(`library-202601${String(40 - days)}T000000Z.db${end}`, days + 365);
  const run = () =>
    execFileSync('sh', [path.join(rendered.deploy, 'backup.sh')], {
      env: { PATH: process.env['PATH'], LIBRARY: program, DATA_DIR: dataDir, BACKUP_DIR: folder },
    });
  run();
  const left = execFileSync('ls', [folder], { encoding: 'utf8' }).trim().split('\n');
  // The 14 newest, the new one among them, each with its checksum. The others are old.
  expect(left.filter((name) => name.endsWith('.db'))).toHaveLength(14);
  expect(left.filter((name) => name.endsWith('.sha256'))).toHaveLength(14);
});
