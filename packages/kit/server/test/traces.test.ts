import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeWith } from '@kit/local-stack';
import { newFolder, shared, startPostgres, startRedis, until, type Served } from './support/index.ts';
import { command } from './library/service.ts';

/* OpenTelemetry, loaded before the built service. */

/** In a folder where its packages resolve, and that is not the input of a cached task. */
const tracing = path.join(import.meta.dirname, '../node_modules/.cache/tracing.mjs');

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly parentId?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** support/tracing.mjs, with each span as a line of JSON. */
function tracingFile(): string {
  const program = readFileSync(path.join(import.meta.dirname, 'support/tracing.mjs'), 'utf8');
  const exporter = `{
    export(spans, done) {
      for (const span of spans) {
        const { name, attributes, parentSpanContext } = span;
        const { traceId } = span.spanContext();
        console.error(JSON.stringify({ name, traceId, parentId: parentSpanContext?.spanId, attributes }));
      }
      done({ code: 0 });
    },
    shutdown: async () => {},
  }`;
  expect(program).toContain('new ConsoleSpanExporter()');
  return program.replace('new ConsoleSpanExporter()', exporter);
}

describeWith(['PostgreSQL', 'Redis'], 'traces', () => {
  const postgres = shared(startPostgres);
  const redis = shared(startRedis);
  let origin: string;
  let key: string;
  let output: Served['output'];

  beforeAll(async () => {
    const env = { DATABASE_URL: await postgres.createDatabase(), REDIS_URL: redis.url, LOG_LEVEL: 'info' };
    const create = ['keys', 'create', '--plan', 'pro', '--name', 'a'];
    ({ key } = await command.json<{ key: string }>(create, { dataDir: newFolder(), env }));
    mkdirSync(path.dirname(tracing), { recursive: true });
    writeFileSync(tracing, tracingFile());
    const traced = { ...env, NODE_OPTIONS: `--import=${tracing}` };
    ({ origin, output } = await command.serve({ dataDir: newFolder(), env: traced }));
  });

  const traceOf = (number: number) => String(number).padStart(32, '0');
  const spansOf = (trace: number): Span[] =>
    (output.stderr.match(/^{.*}$/gm) ?? [])
      .map((line) => JSON.parse(line) as Span)
      .filter(({ traceId }) => traceId === traceOf(trace));
  const systemOf = ({ attributes }: Span) => attributes['db.system.name'] ?? attributes['db.system'];
  const send = (method: string, target: string, trace: number) =>
    fetch(`${origin}${target}`, {
      method,
      headers: { authorization: `Bearer ${key}`, traceparent: `00-${traceOf(trace)}-00f067aa0ba902b7-01` },
    });

  test('a request is a span of its caller’s trace, named by the route, with spans of PostgreSQL and Redis in it', async () => {
    await send('DELETE', '/v1/loans/7', 1);
    const root = () => spansOf(1).find(({ parentId }) => parentId === '00f067aa0ba902b7');
    await until(() => root() !== undefined);
    expect(root()).toMatchObject({
      name: 'DELETE /v1/loans/{loanId}',
      attributes: { 'http.route': '/v1/loans/{loanId}', 'http.response.status_code': 404 },
    });
    expect(new Set(spansOf(1).map(systemOf))).toEqual(new Set([undefined, 'postgresql', 'redis']));
    await until(() => output.stdout.includes(`"traceId":"${traceOf(1)}"`));
  });

  test('concurrent requests keep their traces, even across turns of the event loop', async () => {
    const traces = Array.from({ length: 200 }, (_, index) => index + 100);
    const replies = await Promise.all(traces.map((trace) => send('DELETE', `/v1/loans/${trace}`, trace)));
    const served = traces.filter((_, index) => replies[index]?.status === 404);
    expect(served).not.toEqual([]);
    // One Redis span per request: a mixed-up trace would have none. A late Redis is asked again.
    await until(() => served.every((trace) => spansOf(trace).map(systemOf).includes('redis')));
  });

  test('neither an API key in the path, also if it is percent-encoded, nor a query is in a span', async () => {
    await send('DELETE', `/v1/loans/${key.replace('_', '%5F')}?token=a-secret`, 3);
    const paths = () => spansOf(3).flatMap(({ attributes }) => attributes['url.path'] ?? []);
    await until(() => paths().length > 0);
    expect(paths()).toEqual(['/v1/loans/lib_…']);
    for (const secret of [key.slice('lib_'.length), 'a-secret'])
      expect(JSON.stringify(spansOf(3))).not.toContain(secret);
  });
});
