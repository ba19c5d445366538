import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  describeWith,
  freePort,
  freePorts,
  pathOf,
  startNginx,
  startPostgresServer,
  startRedisServer,
  type Program,
} from '@contract-kit/test-support';
import { newFolder, shared } from '@contract-kit/test-support/testing';
import { stringify } from 'yaml';
import { contractText } from '@contract-kit/test-support/contracts';
import { contract } from '../library/contract.ts';
import { renderDeploy } from '../library/deployed.ts';
import { command, generateApiKey } from '../library/service.ts';

/* Two instances behind nginx with the files of `deploy` as they are, an attack, and a customer who pays. */

/** How long an attack lasts, in milliseconds. */
const ATTACK = 10_000;

/** A relay of TCP connections to a port. */
async function relayTo(port: number) {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((from) => {
    const to = net.connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => other.destroy());
      socket.pipe(other);
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as net.AddressInfo).port,
    cut() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

describeWith(['nginx', 'PostgreSQL', 'Redis', 'promtool'], 'a cluster as deployed', () => {
  const programs: Program[] = [];
  const origins: string[] = [];
  const folder = newFolder();
  const rendered = shared(() => renderDeploy(contractText, contract));
  let entry: string;
  let key: string;
  let relay: Awaited<ReturnType<typeof relayTo>>;

  beforeAll(async () => {
    chmodSync(folder, 0o711);
    const [postgres = 0, redis = 0] = await freePorts(2);
    programs.push(
      await startPostgresServer({
        folder: path.join(folder, 'postgres'),
        port: postgres,
        maxConnections: 40,
        isThrownAway: true,
      }),
      await startRedisServer({ folder: path.join(folder, 'redis'), port: redis }),
    );
    relay = await relayTo(postgres);
    const urlAt = (port: number) => `postgresql://postgres@127.0.0.1:${port}/postgres`;
    const REDIS_URL = `redis://127.0.0.1:${redis}`;
    const env = { REDIS_URL, INSTANCES: '2', TRUST_PROXY: '127.0.0.1' };
    const direct = { dataDir: '', env: { DATABASE_URL: urlAt(postgres) } };
    const loans = [{ id: 1, bookId: 1, days: 1, returned: false }];
    await command.run(['loans', 'import', '-'], { ...direct, input: JSON.stringify(loans) });
    const unlimited = ['--plan', 'enterprise', '--per-minute', '1000000', '--per-day', '1000000'];
    ({ key } = await command.json<{ key: string }>(['keys', 'create', ...unlimited, '--name', 'x'], direct));
    for (const port of [relay.port, postgres]) {
      const served = await command.serve({ dataDir: '', env: { ...env, DATABASE_URL: urlAt(port) } });
      origins.push(served.origin);
    }
    const port = await freePort();
    entry = `http://127.0.0.1:${port}`;
    const instances = origins.map((origin) => Number(new URL(origin).port));
    const log = path.join(folder, 'error.log');
    programs.push(
      await startNginx({ folder: path.join(folder, 'nginx'), port, instances, log, deploy: rendered.deploy }),
    );
  });

  afterAll(async () => {
    relay.cut();
    for (const program of programs.toReversed()) await program.end();
  });

  /** What a customer gets for cancels during an attack that `attack` makes again and again. */
  async function during(attack: () => void, pause: number): Promise<Set<number>> {
    const statuses = new Set<number>();
    const end = performance.now() + ATTACK;
    const customer = async () => {
      for (; performance.now() < end; await sleep(40)) {
        const cancel = { method: 'DELETE', headers: { authorization: `Bearer ${key}` } };
        statuses.add((await fetch(`${entry}/v1/loans/1`, cancel)).status);
      }
    };
    const customers = [customer(), customer()];
    for (; performance.now() < end; await sleep(pause)) attack();
    await Promise.all(customers);
    return statuses;
  }

  function sendBody(size: number): void {
    const { hostname, port } = new URL(entry);
    const socket = net.connect(Number(port), hostname).on('error', () => undefined);
    socket.write(`GET /docs HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\nConnection: close\r\n\r\n`);
    socket.resume().end('a'.repeat(size));
  }

  /** The samples of a scrape of each instance and of nginx's log, by series. */
  async function scrape(): Promise<Map<string, number>> {
    const texts = await Promise.all(
      origins.map(async (origin, index) => {
        const text = await (await fetch(`${origin}/metrics`)).text();
        return text.replaceAll(/^(library_\w+)(?:\{(.*)\})? /gm, (_, name: string, labels = '') => {
          return `${name}{instance="${index}"${labels && `,${String(labels)}`}} `;
        });
      }),
    );
    const metrics = path.join(folder, 'metrics');
    mkdirSync(metrics, { recursive: true });
    const NGINX_LOG = path.join(folder, 'nginx/access.log');
    const env = { PATH: process.env['PATH'], NGINX_LOG, METRICS_DIR: metrics };
    execFileSync(path.join(rendered.deploy, 'nginx-metrics.sh'), { env });
    texts.push(readFileSync(path.join(metrics, 'library_nginx.prom'), 'utf8'));
    const samples = [
      ...texts.join('\n').matchAll(/^(library_(?:requests|nginx_responses)_total\{.*\}) (\d+)$/gm),
    ];
    return new Map(samples.map(([, series = '', value]) => [series, Number(value)]));
  }

  /** The alerts that fire when this happens for six minutes. */
  function alertsOf(before: Map<string, number>, after: Map<string, number>): string[] {
    const input = [...after].map(([series, value]) => {
      const start = before.get(series) ?? 0;
      // An attack lasted ten seconds.
      return { series, values: `${start}+${value - start}x40` };
    });
    const file = path.join(folder, 'alerts.test.yml');
    const expected = { expr: 'count by (alertname) (ALERTS{alertstate="firing"})', eval_time: '400s' };
    const tests = [
      { interval: '10s', input_series: input, promql_expr_test: [{ ...expected, exp_samples: [] }] },
    ];
    const rules = [path.join(rendered.deploy, 'alerts.yml')];
    writeFileSync(file, stringify({ rule_files: rules, evaluation_interval: '10s', tests }));
    const { stdout, stderr } = spawnSync(pathOf('promtool'), ['test', 'rules', file], { encoding: 'utf8' });
    return [...(stdout + stderr).matchAll(/alertname="(\w+)"/g)].map(([, name = '']) => name);
  }

  test.each([1_000_000, 90_000])('bodies of %i bytes that nobody reads cost others nothing', async (size) => {
    const before = await scrape();
    expect(await during(() => sendBody(size), 20)).toEqual(new Set([204]));
    // nginx rejects the larger ones itself.
    if (size > 100_000) expect(alertsOf(before, await scrape())).toContain('LibraryNginxRejecting');
    expect(readFileSync(path.join(folder, 'error.log'), 'utf8')).not.toContain('upstream');
  });

  test('wrong keys from eight addresses cost a customer with a key nothing', async () => {
    let next = 0;
    const guess = () => {
      next += 1;
      const { hostname, port } = new URL(entry);
      const from = { localAddress: `127.0.0.${2 + (next % 8)}` };
      const socket = net
        .connect({ host: hostname, port: Number(port), ...from })
        .on('error', () => undefined);
      const headers = `Host: x\r\nAuthorization: Bearer ${generateApiKey()}\r\nConnection: close`;
      socket.resume().end(`GET /v1/loans HTTP/1.1\r\n${headers}\r\n\r\n`);
    };
    const nineGuesses = () => Array.from({ length: 9 }, guess);
    expect(await during(nineGuesses, 10)).toEqual(new Set([204]));
  });

  test('an instance that loses its database costs nobody a cancel, and an alert names it', async () => {
    const before = await scrape();
    relay.cut();
    expect(await during(() => undefined, 100)).toEqual(new Set([204]));
    expect((await fetch(`${origins[0]}/readyz`)).status).toBe(503);
    expect(alertsOf(before, await scrape())).toContain('LibraryFailing');
  });
});
