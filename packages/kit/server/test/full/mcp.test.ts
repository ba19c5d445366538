import { EventEmitter, once } from 'node:events';
import { hostname } from 'node:os';
import { toolsOf } from '@contract-kit/mcp';
import { startForCheck } from '../../src/checking.ts';
import type { AnyHandler } from '../../src/pipeline/dispatch.ts';
import { expectCommonHeaders, newFolder, shared, stopAtEnd, until } from '@contract-kit/test-support/testing';
import { connectRaw, sendRaw } from '../../src/testing/raw.ts';
import {
  connectMcp,
  mcpRequest,
  textOf,
  toolCall,
  type McpClientOptions,
} from '@contract-kit/test-support/mcp-client';
import { contractFrom } from '@contract-kit/test-support/contracts';
import { model } from '../library/contract.ts';
import {
  breakTable,
  command,
  generateApiKey,
  newKey,
  sharedService,
  startTestService,
  withStore,
} from '../library/service.ts';

/* The tools for agents at /mcp, with the official client. */

const SHOP = 'https://shop.example';
const LIST = { method: 'tools/list' };
const LOANS = toolCall('listLoans');

const service = sharedService({ env: { CORS_ORIGINS: SHOP, PUBLIC_URL: 'https://library.example' } });
beforeAll(() => service.addLoans([{ id: 1 }, { id: 2 }, { id: 9007199254740991 }]));

const connect = (key?: string, options?: McpClientOptions) => connectMcp(service.origin, key, options);
const send = (message: object | string, key?: string, headers?: Record<string, string>) =>
  service.request('/mcp', mcpRequest(message, key, headers));

/** The bytes of a request. `fetch` sets Host and Origin itself. */
function raw({ headers, body }: ReturnType<typeof mcpRequest>, host = 'x'): string {
  const all = { host, connection: 'close', ...headers, 'content-length': body.length };
  const lines = Object.entries(all).map((header) => header.join(': '));
  return `POST /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

async function expectRejection(response: Response, status: number, code: string): Promise<void> {
  expect([response.status, await response.json()]).toMatchObject([status, { code, status }]);
  expectCommonHeaders(response.headers);
}

test.each(['legacy', 'auto'] as const)(
  'has the tools of the stdio server, negotiating as %s',
  async (mode) => {
    const { client, call, names } = await connect(service.suiteKey, { mode });
    expect(await names()).toEqual(toolsOf(model).map(({ name }) => name));
    expect(client.getInstructions()).toMatch(/^A kitchen-sink contract/);
    expect(client.getServerVersion()).toMatchObject({ name: 'library-mcp', version: '1.0.0' });
    expect(await call('listLoans', { limit: 1 })).toMatchObject({
      structuredContent: { items: [{ id: 1 }], total: 3, nextOffset: 1 },
    });
    const wrong = await call('cancelLoan', { loanId: 2 ** 53 });
    expect([wrong.isError, textOf(wrong)]).toEqual([true, expect.stringMatching(/^loanId is above 2\^53−1/)]);
    expect(textOf(await call('cancelLoan', { loanId: '9223372036854775807' }))).toMatch(
      /^cancelLoan: No loan has the id 9223372036854775807\..*Code: loan_not_found\.\nRequest id/s,
    );
  },
);

test.each([
  ['', [true, false]],
  ['?read-only', [false, false]],
  ['?deprecated', [true, true]],
  ['?read-only&deprecated', [false, true]],
])(
  'with the query %p, it has tools that change anything, and deprecated ones: %p',
  async (query, expected) => {
    const names = await (await connect(undefined, { query })).names();
    const deprecated = model.operations.find(({ deprecation }) => deprecation)?.id ?? '';
    expect([names.includes('cancelLoan'), names.includes(deprecated)]).toEqual(expected);
  },
);

test.each(['readonly', 'read-only=no', 'read-only=true'])('rejects the query %s', async (query) => {
  const response = await service.request(`/mcp?${query}`, mcpRequest(LIST));
  await expectRejection(response, 400, 'invalid_request');
});

test('without a key, it lists tools, and an operation that needs one says how to send it', async () => {
  // Of the process, for its own clients.
  process.env['LIBRARY_API_KEY'] = service.suiteKey;
  const { call, names } = await connect();
  expect(await names()).toContain('listLoans');
  const refused = textOf(await call('listLoans'));
  delete process.env['LIBRARY_API_KEY'];
  expect(refused).toMatch(/^listLoans: The API key is missing: send it as `Authorization: Bearer <API_KEY>`/);
  expect(refused).toContain('Ask the user to check the API key in the settings of this MCP server.');
});

test('a wrong key is reported without it, and as an error of the operation', async () => {
  const key = generateApiKey();
  const refused = textOf(await (await connect(key)).call('listLoans'));
  expect(refused).toMatch(/^listLoans: The API key is invalid.*\nDo not retry\..*Code: unauthorized\./s);
  expect(refused).not.toContain(key);
  expect(service.logged.at(-2)).toMatchObject({
    operationId: 'listLoans',
    status: 401,
    code: 'unauthorized',
  });
});

test('a call is one request of its operation: quota, log and metrics', async () => {
  const quota = { perMinute: 4, perDay: 100 };
  const [key, other] = [await service.key('enterprise', quota), await service.key('enterprise', quota)];
  const { call, names } = await connect(key);
  await names();
  const before = service.logged.length;
  const results = [];
  for (let round = 0; round < 5; round++) results.push(await call('listLoans'));
  expect(results.map(({ isError = false }) => isError)).toEqual([false, false, false, false, true]);
  expect(textOf(results[4] ?? { content: [] })).toMatch(
    /^listLoans: .*\nCall again in \d+ seconds, not earlier: at .*Z\.\nCode: rate_limit_exceeded\.\nRequest id/s,
  );
  const lines = service.logged.slice(before).filter(({ operationId }) => operationId === 'listLoans');
  expect(lines.map(({ status, method, path }) => [status, method, path])).toEqual(
    [200, 200, 200, 200, 429].map((status) => [status, 'GET', '/v1/loans']),
  );
  expect((await (await connect(other)).call('listLoans')).isError).toBeFalsy();
  expect(await (await service.request('/metrics')).text()).toMatch(
    /library_requests_total\{operation="listLoans",status="429"\} [1-9]/,
  );
});

test('a key that continues after its quota is banned, and its model is informed', async () => {
  const { call } = await connect(await service.key('enterprise', { perMinute: 2, perDay: 100 }));
  const texts = [];
  for (let round = 0; round < 6; round++) texts.push(textOf(await call('listLoans')));
  expect(texts.at(-1)).toContain('Code: api_key_banned.');
});

test.each([
  ['that call no operation', LIST],
  ['whose arguments are wrong', toolCall('cancelLoan', { wrong: 1 })],
])('messages %s count apart: 300 a minute for each key', async (_what, message) => {
  const key = await service.key('enterprise', { perMinute: 3, perDay: 100 });
  const statuses = [];
  for (let round = 0; round < 300; round++) statuses.push((await send(message, key)).status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const refused = await send(message, key);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  await expectRejection(refused, 429, 'rate_limit_exceeded');
  expect((await service.list(key)).headers.get('x-ratelimit-remaining')).toBe('2');
});

test('messages without a key count for the address, with its other requests', async () => {
  const own = await startTestService();
  const message = (headers = {}) => own.request('/mcp', mcpRequest(LIST, undefined, headers));
  await own.list();
  const statuses = [];
  for (let round = 0; round < 60; round++)
    // A header that any client can send.
    statuses.push((await message({ 'x-forwarded-for': `203.0.113.${round}` })).status);
  expect(statuses).toEqual([...Array.from({ length: 59 }, () => 200), 429]);
  await expectRejection(await own.list(), 429, 'rate_limit_exceeded');
});

test('behind a proxy, an operation has the address, the id and the trace of the message', async () => {
  const proxied = await startTestService({ env: { TRUST_PROXY: '127.0.0.1' } });
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const headers = {
    'x-forwarded-for': '203.0.113.7',
    'x-request-id': 'mine',
    traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
  };
  const response = await proxied.request('/mcp', mcpRequest(LOANS, await proxied.key(), headers));
  expect(await response.text()).toContain('"total":0');
  await until(() => proxied.logged.length === 2);
  const { keyId } = proxied.logged[0] ?? {};
  expect(keyId).toEqual(expect.stringMatching(/^key_/));
  const common = { requestId: 'mine', traceId, address: '203.0.113.7', keyId, status: 200 };
  expect(proxied.logged).toMatchObject([
    { ...common, operationId: 'listLoans', path: '/v1/loans' },
    { ...common, path: '/mcp' },
  ]);
});

describe('origins', () => {
  const statusOf = async (headers: Record<string, string>, host = new URL(service.origin).host) => {
    const answer = await sendRaw(service.origin, raw(mcpRequest(LIST, undefined, headers), host));
    return Number(answer.split(' ', 2)[1]);
  };

  test('requests from no page, from its own pages and from CORS_ORIGINS are served', async () => {
    for (const origin of [undefined, service.origin, SHOP, 'https://library.example'])
      expect([origin, await statusOf(origin === undefined ? {} : { origin })]).toEqual([origin, 200]);
    const headers = { origin: SHOP, 'access-control-request-method': 'POST' };
    const preflight = await service.request('/mcp', { method: 'OPTIONS', headers });
    expect(preflight.headers.get('access-control-allow-headers')).toContain('MCP-Protocol-Version');
  });

  test.each(['https://evil.example', 'null', `${SHOP}.evil.example`, 'http://localhost:1', ''])(
    'a page of %p gets 403',
    async (origin) => expect(await statusOf({ origin })).toBe(403),
  );

  test.each([
    ['evil.example', 403],
    ['evil', 403],
    ['EVIL', 403],
    ['evil.', 403],
    ['localhost.', 403],
    ['evil.localhost', 403],
    ['localhost.evil', 403],
    [`${hostname()}.evil`, 403],
    ['127.0.0.1.evil', 403],
    ['[127.0.0.1]', 403],
    ['localhost', 200],
    ['127.0.0.1', 200],
    ['[::1]', 200],
    ['library.example', 200],
    [hostname().toLowerCase(), 200],
  ])('a page of %s, whose name leads here, gets %i (DNS rebinding)', async (name, status) => {
    const host = `${name}:${new URL(service.origin).port}`;
    expect(await statusOf({ origin: `http://${host}` }, host)).toBe(status);
    // What a page may claim itself does not help.
    const forwarded = { 'x-forwarded-host': 'localhost', forwarded: 'host=localhost' };
    expect(await statusOf({ origin: `http://${host}`, ...forwarded }, host)).toBe(status);
  });

  test('a proxy may name the host, but no page of another name', async () => {
    const behind = await startTestService({ env: { TRUST_PROXY: '127.0.0.1' } });
    const statusAs = async (origin: string, forwarded: string) => {
      const headers = { origin, 'x-forwarded-host': forwarded };
      const answer = await sendRaw(behind.origin, raw(mcpRequest(LIST, undefined, headers)));
      return Number(answer.split(' ', 2)[1]);
    };
    expect(await statusAs('http://localhost:9', 'localhost:9')).toBe(200);
    expect(await statusAs('http://evil:9', 'evil:9')).toBe(403);
    expect(await statusAs('http://evil:9', 'localhost:9')).toBe(403);
  });
});

test.each(['GET', 'DELETE', 'PUT', 'HEAD'])('%s is not allowed: there are no sessions', async (method) => {
  const response = await service.request('/mcp', { method });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
});

test('OPTIONS lists the methods', async () => {
  const response = await service.request('/mcp', { method: 'OPTIONS' });
  expect([response.status, response.headers.get('allow')]).toEqual([204, 'POST, OPTIONS']);
});

test.each([
  ['no JSON', 400, '{'],
  ['a batch', 400, JSON.stringify([{ jsonrpc: '2.0', id: 1, ...LIST }])],
  ['a text', 400, '"tools/list"'],
  ['more than 100 kB', 413, JSON.stringify({ ...LIST, padding: 'x'.repeat(100_000) })],
])('a body with %s gets %i', async (_what, status, body) => {
  const code = status === 400 ? 'invalid_request' : 'payload_too_large';
  await expectRejection(await send(body, service.suiteKey), status, code);
});

test.each([
  [415, { 'content-type': 'text/plain' }],
  [406, { accept: 'application/json' }],
  [400, { 'mcp-protocol-version': '1999-01-01' }],
])('gets %i with the headers %j', async (status, headers) => {
  expect((await send(LIST, service.suiteKey, headers)).status).toBe(status);
});

test('a notification is accepted, without a body', async () => {
  const response = await send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  expect([response.status, await response.text()]).toEqual([202, '']);
});

test('no proxy may store or hold back a response', async () => {
  const { headers } = await send(LIST);
  expect(['cache-control', 'x-accel-buffering'].map((name) => headers.get(name))).toEqual(['no-store', 'no']);
});

test('a response that is too large is refused, with advice', async () => {
  const loan = { id: 1, bookId: 1, dueDate: '2026-11-21T12:00:00.000Z' };
  const body = Array.from({ length: 80_000 }, () => loan);
  const own = await startTestService({
    validatesResponses: false,
    handlers: { listLoans: () => ({ status: 200, body }) },
  });
  const { call } = await connectMcp(own.origin, await own.key());
  expect(textOf(await call('listLoans'))).toMatch(
    /^The response is larger than 4194304 bytes, .*\nCode: response_too_large\.$/s,
  );
});

describe('a call that takes long', () => {
  const events = new EventEmitter();
  const slow = sharedService({
    handlers: {
      async listLoans(_input: object, { signal }: { signal: AbortSignal }) {
        events.emit('called', signal);
        await Promise.race([once(events, 'finish'), once(signal, 'abort')]);
        return { status: 200, body: [] };
      },
    },
  });

  test('is aborted when its client leaves', async () => {
    const socket = connectRaw(slow.origin);
    const called = once(events, 'called') as Promise<[AbortSignal]>;
    socket.write(raw(mcpRequest(LOANS, slow.suiteKey)));
    const [signal] = await called;
    expect(signal.aborted).toBe(false);
    socket.destroy();
    await until(() => slow.logged.filter(({ status }) => status === 499).length === 2);
    expect(signal.aborted).toBe(true);
  });

  test('is finished when the service stops', async () => {
    const { call } = await connectMcp(slow.origin, slow.suiteKey);
    const called = once(events, 'called');
    const result = call('listLoans');
    await called;
    const stopped = slow.stop();
    events.emit('finish');
    expect(await result).toMatchObject({ structuredContent: { total: 0 } });
    await stopped;
  });
});

test('a call while the database fails gets the 503 of its operation', async () => {
  const { call } = await connect(service.suiteKey);
  const restore = breakTable(service.dataDir, 'loans');
  const result = await call('cancelLoan', { loanId: 1 });
  restore();
  expect([result.isError, textOf(result)]).toEqual([
    true,
    expect.stringContaining('Code: service_unavailable.'),
  ]);
});

test('a call has no result if the service is killed', async () => {
  const dataDir = newFolder();
  const server = await command.serve({ dataDir });
  const { call } = await connectMcp(server.origin, await withStore(dataDir, newKey));
  // It waits for loans.
  const result = call('watchLoans').then(
    () => 'result',
    () => 'no result',
  );
  await until(async () =>
    /^library_open_streams 1/m.test(await (await fetch(`${server.origin}/metrics`)).text()),
  );
  await server.kill('SIGKILL');
  expect(await result).toBe('no result');
});

describe('of another contract', () => {
  const contractOf = (server: string, path: string) =>
    contractFrom(`openapi: 3.1.0
info: { title: Notes, version: '1' }
servers: [{ url: '${server}' }]
security: [{ header: [] }, { query: [] }, { basic: [] }, { oauth: [notes:write] }]
paths:
  ${path}:
    post:
      operationId: addNote
      x-body-limit: 1000000
      requestBody: { required: true, content: { application/octet-stream: {} } }
      responses: { '200': { description: Added., content: { application/json: { schema: { type: integer } } } } }
components:
  securitySchemes:
    header: { type: apiKey, in: header, name: X-Api-Key }
    query: { type: apiKey, in: query, name: api_key }
    basic: { type: http, scheme: basic }
    oauth:
      type: oauth2
      flows: { clientCredentials: { tokenUrl: https://login.example, scopes: { 'notes:write': Add. } } }
`);
  const handlerOf =
    (): AnyHandler =>
    ({ body }) => ({ status: 200, body: (body as Blob).size });
  const serve = async (server = 'https://notes.example/v1', path = '/notes') => {
    const started = await startForCheck(contractOf(server, path), { dataDir: newFolder(), handlerOf });
    stopAtEnd('service', () => started.stop());
    return started;
  };
  const notes = shared(async () => serve());
  const note = (length: number) => ({ body: Buffer.alloc(length).toString('base64') });

  test.each<readonly [place: string, (key: string) => McpClientOptions]>([
    ['Authorization', (key) => ({ headers: { Authorization: `Bearer ${key}` } })],
    ['a header', (key) => ({ headers: { 'X-Api-Key': key } })],
    ['the query', (key) => ({ query: `?api_key=${key}` })],
    ['HTTP Basic', (key) => ({ headers: { Authorization: `Basic ${btoa(`:${key}`)}` } })],
    // Such as the token of a gateway.
    ['a header, after another', (key) => ({ headers: { Authorization: 'Bearer x', 'X-Api-Key': key } })],
  ])('the key may come in %s, and needs its scopes there', async (_place, withKey) => {
    const { call } = await connectMcp(notes.origin, undefined, withKey(notes.key));
    expect(await call('addNote', note(3))).toMatchObject({ structuredContent: { result: 3 } });
    const lacking = await connectMcp(notes.origin, undefined, withKey(await notes.newKey([])));
    expect(textOf(await lacking.call('addNote', note(3)))).toMatch(
      /notes:write\.\n.*Code: insufficient_scope\./s,
    );
  });

  test('a file may be as large as its operation allows, if there is a key', async () => {
    const { call } = await connectMcp(notes.origin, notes.key);
    expect(await call('addNote', note(1_000_000))).toMatchObject({
      structuredContent: { result: 1_000_000 },
    });
    expect(textOf(await call('addNote', note(1_000_001)))).toContain('Code: payload_too_large.');
    const keyless = mcpRequest(toolCall('addNote', note(100_000)));
    expect((await fetch(`${notes.origin}/mcp`, keyless)).status).toBe(413);
  });

  test('an operation at /mcp takes its place', async () => {
    const { origin, key } = await serve('https://notes.example', '/mcp');
    const headers = { 'x-api-key': key, 'content-type': 'application/octet-stream' };
    const response = await fetch(`${origin}/mcp`, { method: 'POST', headers, body: 'four' });
    expect([response.status, await response.json()]).toEqual([200, 4]);
  });
});
