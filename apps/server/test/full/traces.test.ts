import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describeWith } from '@contract-kit/test-support';
import {
  newFolder,
  originOf,
  percentDecoded,
  requestsWith,
  spellings,
  startPostgres,
  startProcess,
  startRedis,
  stopAtEnd,
  until,
} from '@contract-kit/test-support/testing';
import { askRaw } from '@contract-kit/testing/fuzzer';
import { petstoreJson } from '../support/command.ts';
import { root } from '../support/workspace.ts';

/* The first recipe of docs/tracing.md, as typed: OpenTelemetry from the registry, loaded before the packaged service. */

interface Span {
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
}
interface Exported {
  readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: readonly Span[] }[] }[];
}

/** The commands for this version of Node.js. */
function recipe(): string {
  const text = readFileSync(path.join(root, 'docs/tracing.md'), 'utf8');
  const [, commands = ''] = /```sh\n([^]*?)```/.exec(text) ?? [];
  if (Number(process.versions.node.split('.')[0]) > 20) return commands;
  const old = /On Node\.js 20 use `(\S+)` and `(\S+)`/.exec(text)?.slice(1) ?? [];
  expect(old).toHaveLength(2);
  return old.reduce((typed, version) => {
    const name = `@opentelemetry/${version.split('@')[0]}`;
    return typed.replace(new RegExp(`${name}(?=\\s)`), `@opentelemetry/${version}`);
  }, commands);
}

describeWith(['PostgreSQL', 'Redis', 'unshare'], 'the recipe for traces', () => {
  /** All that OpenTelemetry sends: traces, metrics and log lines. */
  const received: string[] = [];
  const folder = newFolder();
  let key: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    execFileSync('npm', ['run', 'package', '--', path.join(folder, 'petstore')], {
      cwd: root,
      stdio: 'ignore',
    });
    mkdirSync(path.join(folder, 'tracing'));
    const [postgres, redis] = await Promise.all([startPostgres(), startRedis('--requirepass', PASSWORD)]);
    env = {
      DATABASE_URL: (await postgres.createDatabase()).replace('postgres@', `postgres:${PASSWORD}@`),
      REDIS_URL: redis.url.replace('//', `//:${PASSWORD}@`),
    };
    const create = ['keys', 'create', '--plan', 'pro', '--name', 'a'];
    ({ key } = await petstoreJson<{ key: string }>(create, { dataDir: newFolder(), env }));
  });

  const PASSWORD = 'a-password-of-ours';
  const spans: Span[] = [];
  const named = (name: string) => spans.filter((span) => span.name === name);

  async function startCollector(): Promise<number> {
    const server = http.createServer((req, res) => {
      let text = '';
      req.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      req.on('end', () => {
        received.push(text);
        const { resourceSpans = [] } = JSON.parse(text) as Exported;
        spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans).flatMap((scope) => scope.spans));
        res.setHeader('Content-Type', 'application/json').end('{}');
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    stopAtEnd('service', () => {
      server.closeAllConnections();
      return once(server.close(), 'close');
    });
    return (server.address() as AddressInfo).port;
  }

  /** Runs the commands where /opt is ours. */
  async function start(settings: Record<string, string> = {}): Promise<string> {
    const collector = await startCollector();
    const typed = recipe()
      .replace('127.0.0.1:4318', `127.0.0.1:${collector}`)
      .replace(/serve$/m, '$& --port 0');
    const running = startProcess(
      'unshare',
      [
        '--map-root-user',
        '--mount',
        'sh',
        '-ec',
        `mount --bind ${folder} /opt\n${typed.replace(/^node/m, 'exec $&')}`,
      ],
      {
        env: {
          // npm may need its settings, but not those of this repository, which `npm run` passes on.
          ...process.env,
          npm_config_strict_allow_scripts: undefined,
          DATA_DIR: newFolder(),
          ...env,
          // So that it can be read, and soon.
          OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
          OTEL_BSP_SCHEDULE_DELAY: '100',
          OTEL_BSP_MAX_QUEUE_SIZE: '100000',
          OTEL_METRIC_EXPORT_INTERVAL: '1000',
          OTEL_METRIC_EXPORT_TIMEOUT: '1000',
          TRUST_PROXY: '127.0.0.1',
          SHUTDOWN_DELAY_SECONDS: '0',
          ...settings,
        },
        stdio: 'pipe',
      },
    );
    stopAtEnd('service', () => running.kill('SIGKILL'));
    return originOf(running);
  }

  test('as typed, names spans by their routes, with spans of PostgreSQL and Redis, and has no secret in any', async () => {
    const origin = await start();
    const ask = (target: string) =>
      fetch(origin + target, { method: 'DELETE', headers: { authorization: `Bearer ${key}` } });
    expect((await ask('/v1/store/orders/7')).status).toBe(404);
    await until(() => named('DELETE /v1/store/orders/{orderId}').length > 0);
    const systems = () =>
      spans.flatMap(({ attributes }) =>
        attributes.filter(({ key }) => /^db\.system/.test(key)).map(({ value }) => value.stringValue),
      );
    await until(() => systems().includes('postgresql') && systems().includes('redis'));

    expect(spans.some(({ name }) => name.startsWith('middleware'))).toBe(true);

    const before = spans.filter(isOfServer).length;
    const requests = spellings.flatMap(([, spell]) => requestsWith(spell(key), 'store/orders'));
    for (const request of requests) {
      const headers = [...request.headers, ['Authorization', `Bearer ${key}`] as const];
      await askRaw(origin, request.headers.length === 0 ? { ...request, headers } : request);
    }
    await until(() => spans.filter(isOfServer).length >= before + requests.length);
    // Metrics too.
    await until(() => received.some((text) => text.includes('resourceMetrics')));
    const secret = new RegExp(`${key.slice('pst_'.length, 14)}|access_token|${PASSWORD}`, 'i');
    for (const text of received) expect(percentDecoded(text)).not.toMatch(secret);
  });

  test('without the instrumentations of Express, there is no span of the pipeline', async () => {
    spans.length = 0;
    const origin = await start({ OTEL_NODE_DISABLED_INSTRUMENTATIONS: 'express,router' });
    await fetch(`${origin}/v1/store/orders`);
    await until(() => named('GET /v1/store/orders').length > 0);
    expect(spans.map(({ name }) => name).filter((name) => /middleware|request handler/.test(name))).toEqual(
      [],
    );
  });
});

function isOfServer({ attributes }: Span): boolean {
  return attributes.some(({ key }) => key === 'http.request.method' || key === 'http.method');
}
