import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeWith, testAsRoot } from '@contract-kit/test-support';
import { newFolder, shared } from '@contract-kit/test-support/testing';
import { parse, stringify } from 'yaml';
import { readConfig } from '../../src/config.ts';
import { contractText } from '@contract-kit/test-support/contracts';
import { contract } from '../library/contract.ts';
import { renderDeploy } from '../library/deployed.ts';
import { startTestService } from '../library/service.ts';

/* The generated files of `deploy`, read by the programs that they are for. */

const rendered = shared(() => renderDeploy(contractText, contract));
const textOf = (file: string) => rendered.files[file] ?? '';

/** The unit as installed: its programs exist. */
function installedUnit(name: string): string {
  const folder = newFolder();
  const program = path.join(folder, 'opt/library');
  mkdirSync(program, { recursive: true });
  cpSync(path.join(rendered.deploy, 'backup.sh'), path.join(program, 'backup.sh'));
  const unit = path.join(folder, name);
  const text = textOf(`deploy/${name}`)
    .replaceAll('/opt/library', program)
    .replace('/usr/local/bin/library-nginx-metrics', path.join(rendered.deploy, 'nginx-metrics.sh'))
    .replace('/usr/bin/node', realpathSync(process.execPath));
  writeFileSync(unit, text);
  return unit;
}

describeWith(['systemd'], 'systemd', () => {
  test('accepts the units, and rates the sandbox of the service well', () => {
    const units = [
      'library.service',
      'library-backup.service',
      'library-backup.timer',
      'library-nginx-metrics.service',
    ].map(installedUnit);
    const verified = spawnSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' });
    expect([verified.status, verified.stderr]).toEqual([0, '']);
    const security = ['security', '--offline=true', '--threshold=20', units[0] ?? ''];
    expect(spawnSync('systemd-analyze', security).status).toBe(0);
  });
});

test.each(['library.service', 'library-backup.service'])(
  'the sandbox of %s allows writing to every folder it needs, and Node starts',
  (name) => {
    const settings = (setting: string) =>
      [...textOf(`deploy/${name}`).matchAll(new RegExp(`^${setting}=(.*)$`, 'gm'))].flatMap(
        ([, value = '']) => value.split(' '),
      );
    const folders = settings('Environment').flatMap((setting) => /(?<=^\w+_DIR=).*/.exec(setting) ?? []);
    const states = settings('StateDirectory').map((state) => `/var/lib/${state}`);
    expect([...settings('ReadWritePaths'), ...states]).toEqual(expect.arrayContaining(folders));
    expect(folders).not.toEqual([]);
    // Node tries a system call at its start that few filters know, and continues without it.
    expect(settings('SystemCallErrorNumber')).toEqual(['EPERM']);
  },
);

test('the unit allows as many open files as the service accepts connections', () => {
  const [, limit] = /^LimitNOFILE=(\d+)$/m.exec(textOf('deploy/library.service')) ?? [];
  expect(Number(limit)).toBeGreaterThanOrEqual(2 * readConfig({}).maxConnections);
});

test('in the compose file, one instance builds the image of all', () => {
  // Of parallel builds of one image, the second fails when it tags it.
  const { services } = parse(textOf('deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, { image: string; build?: object; pull_policy?: string }>;
  };
  const instances = Object.values(services).filter(({ image }) => image === 'library');
  expect(instances.length).toBeGreaterThan(1);
  expect(instances.filter(({ build }) => build)).toHaveLength(1);
  // No instance pulls it.
  for (const { build, pull_policy } of instances)
    expect(Boolean(build) || pull_policy === 'never').toBe(true);
});

describeWith(['nginx', 'unshare'], 'the documented commands', () => {
  const blocksOf = () =>
    ['docs/operating.md', 'docs/scaling.md'].flatMap((file) =>
      [...textOf(file).matchAll(/^ *```sh\n([^]*?)^ *```$/gm)]
        .map(([, commands = '']) => commands)
        .filter((commands) => /nginx/.test(commands))
        .map((commands) => [file, commands] as const),
    );

  test('set up nginx in both documents', () => {
    expect(new Set(blocksOf().map(([file]) => file)).size).toBe(2);
  });

  // Only root may give the folders to nginx's user.
  testAsRoot('set up nginx as typed', () => {
    for (const [file, commands] of blocksOf()) {
      // Only for these processes, the folders that they write to are empty. Nothing here is a service of systemd.
      const folders = '/etc/nginx /usr/local/bin /etc/systemd/system /var/log/nginx /var/lib/nginx /run';
      const script = `
        set -e
        for folder in ${folders}; do if [ -d $folder ]; then mount -t tmpfs none $folder; fi; done
        systemctl() { echo "systemctl $*"; }
        ${commands}
        for program in /usr/local/bin/*; do if [ -e $program ]; then test -x $program; fi; done`;
      const args = ['--mount', 'sh', '-c', script];
      const { status, stdout, stderr } = spawnSync('unshare', args, {
        cwd: rendered.folder,
        encoding: 'utf8',
      });
      const restarted = /^systemctl (restart nginx|daemon-reload)$/m.test(stdout);
      expect([file, status, restarted ? '' : stderr]).toEqual([file, 0, '']);
    }
  });
});

interface Rule {
  readonly expr: string;
}
/** The rules of deploy/alerts.yml. */
const rulesOf = () =>
  (parse(textOf('deploy/alerts.yml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
    ({ rules }) => rules,
  );

describeWith(['promtool'], 'Prometheus', () => {
  test('alerts when the disk of DATA_DIR fills, and when the age of the backup is unknown', () => {
    const disk = (mountpoint: string) => `node_filesystem_avail_bytes{mountpoint="${mountpoint}"}`;
    const tests = {
      rule_files: [path.join(rendered.deploy, 'alerts.yml')],
      evaluation_interval: '10m',
      tests: [
        {
          interval: '10m',
          input_series: ['/', '/boot'].map((at) => ({ series: disk(at), values: '1000000-5000x60' })),
          promql_expr_test: [
            {
              expr: 'ALERTS{alertstate="firing"}',
              eval_time: '8h',
              exp_samples: [
                'alertname="LibraryDiskFills", mountpoint="/", severity="warn"',
                'alertname="LibraryBackupUnknown", severity="page"',
              ].map((labels) => ({ labels: `ALERTS{${labels}, alertstate="firing"}`, value: 1 })),
            },
          ],
        },
      ],
    };
    const file = path.join(newFolder(), 'alerts.test.yml');
    writeFileSync(file, stringify(tests));
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });
});

test('alerts use metrics that exist', async () => {
  const service = await startTestService();
  const metrics = await (await fetch(`${service.origin}/metrics`)).text();
  await service.stop();
  const asked = new Set(rulesOf().flatMap(({ expr }) => expr.match(/library_\w+/g) ?? []));
  const offered = (name: string) => metrics.includes(`# TYPE ${name.replace(/_bucket$/, '')} `);
  expect([...asked].filter((name) => !offered(name))).toEqual([
    'library_nginx_responses_total',
    // Of a service with background work.
    'library_background_failures_total',
    // Of a service with jobs.
    'library_jobs',
    'library_jobs_oldest_seconds',
    'library_job_ticks_skipped_total',
    'library_backup_seconds',
  ]);
});
