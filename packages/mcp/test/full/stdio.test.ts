import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Client, type CallToolResult } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { startTestService, type TestService } from '@petstore/server/testing';
import { listen } from '@contract-kit/test-support/testing';
import manifest from '../../package.json' with { type: 'json' };

/* The built command, with the official client, against the real service. */

const program = path.resolve(__dirname, '../..', manifest.bin['petstore-mcp']);

let service: TestService;
const clients: Client[] = [];

beforeAll(async () => {
  service = await startTestService({ clock: Object.assign(() => Date.now(), { advance: () => {} }) });
  await service.addOrders([{ id: 1 }, { id: 2 }, { id: 9007199254740991, status: 'shipped' }]);
  await service.addPets([{ id: 12, name: 'Rex' }]);
});
afterAll(async () => {
  for (const client of clients) await client.close();
});

interface Options {
  readonly quota?: { readonly perMinute: number; readonly perDay: number };
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  readonly mode?: 'legacy' | 'auto';
}

/** A client of the command, with a new key. */
async function connect({ quota, args = [], env, mode = 'auto' }: Options = {}) {
  const key = await service.key('enterprise', quota ?? { perMinute: 1000, perDay: 1000 });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, ...args],
    env: { PETSTORE_API_KEY: key, PETSTORE_BASE_URL: `${service.origin}/v1`, ...env },
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  clients.push(client);
  return {
    key,
    client,
    stderr: transport.stderr,
    call: (name: string, input: Record<string, unknown> = {}) => client.callTool({ name, arguments: input }),
  };
}

const textOf = ({ content }: CallToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

test.each([
  ['legacy', '1'],
  ['auto', 2],
] as const)('lists and cancels orders, negotiating as %p', async (mode, orderId) => {
  const { call } = await connect({ mode });
  expect(await call('listOrders', { id: '2', limit: 1 })).toMatchObject({
    structuredContent: { items: [{ id: 2 }], total: 1 },
  });
  expect(await call('cancelOrder', { orderId })).toMatchObject({
    structuredContent: { outcome: 'The order is cancelled.', orderId },
    content: [{ type: 'text', text: `The order is cancelled. (orderId: ${orderId})` }],
  });
});

test.each([
  [
    '9007199254740991',
    /^cancelOrder: Order 9007199254740991 has already shipped.*Code: order_already_shipped\./s,
  ],
  [
    '9007199254740993',
    /^cancelOrder: No order has the id 9007199254740993\..*Code: order_not_found.*Request id/s,
  ],
  ['9223372036854775808', /not an exact 64-bit integer\nNothing was sent\. Correct the arguments/],
])('cancelling the order %p is refused with the problem and the remedy', async (orderId, message) => {
  const { call } = await connect();
  const result = await call('cancelOrder', { orderId });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toMatch(message);
});

test('calls beyond the quota say when to call again, and send nothing', async () => {
  const { call } = await connect({ quota: { perMinute: 1000, perDay: 3 } });
  const before = service.logged.length;
  const results: CallToolResult[] = [];
  for (let round = 0; round < 4; round++)
    results.push(...(await Promise.all(Array.from({ length: 10 }, () => call('listOrders')))));
  const refused = results.filter(({ isError }) => isError);
  expect(refused).toHaveLength(37);
  for (const item of refused) {
    expect(textOf(item)).toMatch(
      /^Call again in \d+ seconds, not earlier: at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\.\nCode: rate_limit_exceeded\./m,
    );
  }
  const statuses = service.logged.slice(before).flatMap(({ status }) => status ?? []);
  expect(statuses).toEqual([200, 200, 200]);
});

test('a wrong key, or an API that cannot be reached, is reported without the key', async () => {
  const wrong = await connect({ env: { PETSTORE_API_KEY: 'pst_wrong' } });
  expect(textOf(await wrong.call('listOrders'))).toMatch(/Ask the user to check PETSTORE_API_KEY/);
  const gone = await connect({ env: { PETSTORE_BASE_URL: 'http://127.0.0.1:9/v1' } });
  // Each waits between its attempts.
  const calls = [gone.call('cancelOrder', { orderId: '1' }), gone.call('listOrders')];
  const [result = '', listed] = (await Promise.all(calls)).map(textOf);
  expect(result).toMatch(
    /no response from .*\nIt may have .*\nTo call again is safe\.\nIf that fails too, ask the user .* running, .* PETSTORE_BASE_URL .*\nCode: connection_failed\./s,
  );
  expect(result).not.toContain(gone.key);
  expect(listed).toMatch(/no response from .*\nTo call again is safe\./);
});

test('--deprecated adds deprecated tools with their last day, and --read-only omits tools that change data', async () => {
  const { client, call, stderr } = await connect({ args: ['--deprecated', '--read-only'] });
  const warned = once(stderr as NodeJS.EventEmitter, 'data');
  const { tools } = await client.listTools();
  const descriptions = new Map(tools.map(({ name, description }) => [name, description]));
  const names = [...descriptions.keys()];
  expect(names).toEqual(expect.arrayContaining(['listOrders', 'getPet']));
  expect(names).not.toContain('cancelOrder');
  expect(descriptions.get('getPet')).toMatch(/^Deprecated: it goes away on 2027-06-30\./);
  expect(await call('getPet', { petId: '12' })).toMatchObject({ structuredContent: { id: 12, name: 'Rex' } });
  // Not on stdout, which carries the protocol: the client would have failed.
  expect(String(await warned)).toContain('getPet is deprecated');
});

test('reports a wait as progress to a client that asks for it', async () => {
  let requests = 0;
  const origin = await listen((_request, response) => {
    requests += 1;
    const body = { code: 'service_unavailable', message: 'Not now.', status: 503 };
    response.setHeader('Content-Type', 'application/json');
    if (requests === 1) response.writeHead(503, { 'retry-after': '1' }).end(JSON.stringify(body));
    else response.end('[]');
  });
  const { client } = await connect({ env: { PETSTORE_BASE_URL: `${origin}/v1` } });
  const updates: { progress: number; message?: string | undefined }[] = [];
  const onprogress = (progress: (typeof updates)[number]) => void updates.push(progress);
  const result = await client.callTool({ name: 'listOrders', arguments: {} }, { onprogress });
  expect(result.structuredContent).toEqual({ items: [], total: 0 });
  expect(updates).toEqual([
    {
      progress: 1,
      message: expect.stringMatching(/^Waits \d+ s before another attempt, until .*Z\.$/) as string,
    },
  ]);
  expect(requests).toBe(2);
});

/** An API that echoes the request, as some proxies do, or does not respond. */
async function serveOdd(answers: boolean): Promise<string> {
  const origin = await listen(({ headers }, response) => {
    if (answers)
      response.writeHead(502, { 'x-request-id': headers.authorization }).end(JSON.stringify(headers));
  });
  return `${origin}/v1`;
}

/** Starts the command, without a client. */
function start(args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [program, ...args], { env, stdio: 'pipe' });
  const output = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const send = (...messages: readonly object[]) =>
    child.stdin.write(
      messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''),
    );
  return {
    child,
    send,
    end: async () => {
      const [stdout, stderr, [code]] = (await output) as [string, string, [number | null]];
      return { stdout, stderr, code };
    },
  };
}

const initialize = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const listOrders = { id: 2, method: 'tools/call', params: { name: 'listOrders', arguments: {} } };
const apiKey = 'pst_0123456789abcdefghijklmnopqrstuv012345';

test('a proxy that repeats the key does not reveal it, on stdout or stderr', async () => {
  const { child, send, end } = start(['--deprecated'], {
    PETSTORE_API_KEY: apiKey,
    PETSTORE_BASE_URL: await serveOdd(true),
  });
  send(initialize, { method: 'notifications/initialized' }, listOrders);
  await once(child.stdout, 'data');
  await once(child.stdout, 'data');
  child.stdin.end();
  const { stdout, stderr, code } = await end();
  const messages = stdout.trim().split('\n');
  expect(messages.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { jsonrpc: '2.0', id: 1, result: { serverInfo: { name: 'petstore-mcp' } } },
    { jsonrpc: '2.0', id: 2, result: { isError: true } },
  ]);
  expect(messages[1]).toMatch(/502.*Code: unexpected_reply/);
  expect(stdout + stderr).not.toContain(apiKey);
  expect(code).toBe(0);
});

test.each(['SIGTERM', 'SIGINT', 'the end of its input'] as const)(
  'it ends with %s, even during a call',
  async (how) => {
    const { child, send, end } = start([], {
      PETSTORE_API_KEY: apiKey,
      PETSTORE_BASE_URL: await serveOdd(false),
    });
    send(initialize, { method: 'notifications/initialized' }, listOrders);
    await once(child.stdout, 'data');
    if (how === 'the end of its input') child.stdin.end();
    else child.kill(how);
    expect(await end()).toMatchObject({ stderr: '', code: 0 });
  },
);

test.each<readonly [args: readonly string[], env: Record<string, string>, code: number, message: RegExp]>([
  [[], {}, 1, /^petstore-mcp: apiKey is missing: .* PETSTORE_API_KEY/],
  [[], { PETSTORE_API_KEY: 'two words' }, 1, /: apiKey must be the key alone.* PETSTORE_API_KEY/],
  [
    [],
    { PETSTORE_API_KEY: apiKey, PETSTORE_BASE_URL: 'http://far.example/v1' },
    1,
    /: baseUrl .* is not https.* PETSTORE_BASE_URL/,
  ],
  [['--key', apiKey], {}, 2, /^petstore-mcp: Unknown option '--key'.* see petstore-mcp --help\n$/],
])('started with %j and %j, it exits with %i and the reason', async (args, env, code, message) => {
  const result = await start(args, env).end();
  expect(result).toMatchObject({ stdout: '', code });
  expect(result.stderr).toMatch(message);
  expect(result.stderr).not.toContain(env['PETSTORE_API_KEY'] ?? apiKey);
});
