import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeWith, freePort } from '@contract-kit/test-support';
import {
  newFolder,
  percentDecoded,
  requestsWith,
  shared,
  spellings,
  startPostgres,
  startRedis,
  until,
  type Served,
} from '@contract-kit/test-support/testing';
import { sendRaw, type RawRequest } from '../../src/testing/raw.ts';
import { mcpRequest, toolCall } from '@contract-kit/test-support/mcp-client';
import { command } from '../library/service.ts';

/* OpenTelemetry, loaded before the built service. */

/** In a folder where its packages resolve, and that is not the input of a cached task. */
const tracing = path.join(import.meta.dirname, '../../node_modules/.cache/tracing.mjs');

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly parentId?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly unknown[];
  readonly status: unknown;
}

/** Instrumentations that people add to the documented ones. */
const ADDED = ['Connect', 'Express', 'Router'];
const CAPTURED = ['authorization', 'cookie', 'referer', 'x-api-key'];

/** The program of docs/tracing.md, with each span as a line of JSON, and with more instrumentations. */
function tracingFile(): string {
  const page = readFileSync(path.join(import.meta.dirname, '../../../../../docs/tracing.md'), 'utf8');
  const [, program = ''] = /```js file=tracing\.mjs\n(.*?)```/s.exec(page) ?? [];
  const exporter = `{
    export(spans, done) {
      for (const span of spans) {
        const { name, attributes, events, status, links, resource, parentSpanContext } = span;
        const { traceId } = span.spanContext();
        const parentId = parentSpanContext?.spanId;
        const rest = { links, resource: resource.attributes };
        console.error(JSON.stringify({ name, traceId, parentId, attributes, events, status, ...rest }));
      }
      done({ code: 0 });
    },
    shutdown: async () => {},
  }`;
  const imports = ADDED.map(
    (name) =>
      `import { ${name}Instrumentation } from '@opentelemetry/instrumentation-${name.toLowerCase()}';\n`,
  );
  const instrumentations = ADDED.map((name) => `new ${name}Instrumentation(), `);
  const capturing = `headersToSpanAttributes: { server: { requestHeaders: ${JSON.stringify(CAPTURED)} } }`;
  const http = `new HttpInstrumentation({ ${capturing} })`;
  for (const part of ['new ConsoleSpanExporter()', 'new HttpInstrumentation()'])
    expect(program).toContain(part);
  return (
    imports.join('') +
    program
      .replace('new ConsoleSpanExporter()', exporter)
      .replace('new HttpInstrumentation()', instrumentations.join('') + http)
  );
}

describeWith(['PostgreSQL', 'Redis'], 'traces', () => {
  const postgres = shared(startPostgres);
  const redis = shared(startRedis);
  let origin: string;
  let admin: string;
  let key: string;
  let output: Served['output'];

  beforeAll(async () => {
    const env = { DATABASE_URL: await postgres.createDatabase(), REDIS_URL: redis.url, LOG_LEVEL: 'info' };
    const create = ['keys', 'create', '--plan', 'pro', '--name', 'a'];
    ({ key } = await command.json<{ key: string }>(create, { dataDir: newFolder(), env }));
    mkdirSync(path.dirname(tracing), { recursive: true });
    writeFileSync(tracing, tracingFile());
    const port = String(await freePort());
    admin = `http://127.0.0.1:${port}`;
    const traced = {
      ...env,
      ADMIN_PORT: port,
      TRUST_PROXY: '127.0.0.1',
      NODE_OPTIONS: `--import=${tracing}`,
    };
    ({ origin, output } = await command.serve({ dataDir: newFolder(), env: traced }));
  });

  const traceOf = (number: number) => String(number).padStart(32, '0');
  const spans: Span[] = [];
  let parsed = 0;
  /** The spans of a trace so far. */
  function spansOf(trace: number): Span[] {
    const end = output.stderr.lastIndexOf('\n') + 1;
    const lines = output.stderr.slice(parsed, end).match(/^{.*}$/gm) ?? [];
    spans.push(...lines.map((line) => JSON.parse(line) as Span));
    parsed = end;
    return spans.filter(({ traceId }) => traceId === traceOf(trace));
  }
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
    let next = 10_000;
    // Where the machine is busy, Redis is late and an instance counts alone: then another burst is sent.
    await until(async () => {
      const traces = Array.from({ length: 200 }, () => (next += 1));
      const replies = await Promise.all(traces.map((trace) => send('DELETE', `/v1/loans/${trace}`, trace)));
      const served = traces.filter((_, index) => replies[index]?.status === 404);
      const isRoot = ({ parentId }: Span) => parentId === '00f067aa0ba902b7';
      await until(() => served.every((trace) => spansOf(trace).some(isRoot)));
      // One Redis span per request: a mixed-up trace would have none.
      return served.length > 0 && served.every((trace) => spansOf(trace).map(systemOf).includes('redis'));
    });
  });

  let trace = 1_000;
  /** Sends a request of a new trace. Resolves to its number. */
  async function ask(
    at: string,
    method: string,
    target: string,
    headers: RawRequest['headers'] = [],
    body: string | Buffer = '',
  ) {
    const number = (trace += 1);
    const lines = [['Host', 'x'], ['Connection', 'close'], ...headers].map((item) => item.join(': '));
    lines.push(`traceparent: 00-${traceOf(number)}-00f067aa0ba902b7-01`, `Content-Length: ${body.length}`);
    await sendRaw(at, `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${String(body)}`);
    return number;
  }

  test.each(spellings)('an API key, %s, is in no span, wherever it was sent', async (_, spell) => {
    const sent = spell(key);
    // It has no span.
    await ask(origin, 'GET', `/v1/loans/${sent}`, [['Expect', sent]]);
    const numbers = await Promise.all([
      ...requestsWith(sent, 'loans').map(({ method, target, headers, body }) => {
        const authorization = body === undefined ? [] : [['Authorization', `Bearer ${key}`] as const];
        return ask(origin, method, target, [...headers, ...authorization], body);
      }),
      ...['/healthz', `/${sent}`, `/readyz?${sent}`].map((target) => ask(admin, 'GET', target)),
    ]);
    await until(() => numbers.every((number) => spansOf(number).length > 0));
    const secret = new RegExp(`${key.slice('lib_'.length, 14)}|access_token`, 'i');
    for (const line of output.stderr.split('\n')) expect(percentDecoded(line)).not.toMatch(secret);
  });

  test('a call of a tool is a request within its message, in the trace of that', async () => {
    const { headers, body } = mcpRequest(toolCall('cancelLoan', { loanId: 7 }), key);
    const number = await ask(origin, 'POST', '/mcp', Object.entries(headers), body);
    const ofTool = () => spansOf(number).find(({ name }) => name === 'DELETE /v1/loans/{loanId}');
    await until(() => ofTool() !== undefined);
    expect(ofTool()?.parentId).not.toBe('00f067aa0ba902b7');
    await until(() => output.stdout.split(`"traceId":"${traceOf(number)}"`).length === 3);
    expect(output.stderr).not.toContain(key);
  });

  test('with every instrumentation, each span of a request is named by its route, also on the port for health', async () => {
    const number = await ask(origin, 'DELETE', '/v1/loans/7?a=b');
    const root = (of: number) => spansOf(of).find(({ parentId }) => parentId === '00f067aa0ba902b7');
    await until(() => root(number) !== undefined);
    expect(root(number)).toMatchObject({
      name: 'DELETE /v1/loans/{loanId}',
      attributes: { 'url.path': '/v1/loans/7', 'url.query': 'REDACTED' },
    });
    expect(spansOf(number).length).toBeGreaterThan(1);
    const page = await ask(origin, 'GET', '/docs');
    await until(() => root(page) !== undefined);
    expect(root(page)?.name).toBe('GET /docs');
  });
});
