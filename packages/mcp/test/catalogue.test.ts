import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client, InMemoryTransport, type CallToolResult } from '@modelcontextprotocol/client';
import type { Contract } from '@kit/contract';
import type { JsonObject } from '@kit/contract/json-pointer';
import { createServer, toolsOf, type Refusal } from '@kit/mcp';
import { contractOf } from '@kit/tools/contract-value';
import { parseContract } from '@kit/tools/source-document';

/* A contract of many operations: each of the kitchen-sink contract, twice. */

const names = { name: 'library', keyPrefix: 'lib_', databaseFile: 'store.db' };
const folder = path.dirname(require.resolve('@kit/tools/kitchen-sink.yaml'));
const [kitchenSink, open] = ['openapi.yaml', 'open.yaml'].map((file) =>
  contractOf(parseContract(readFileSync(path.join(folder, file), 'utf8')), names),
) as [Contract, Contract];
const twice = (value: object) =>
  Object.fromEntries(
    Object.entries(value).flatMap(([id, value]) => [
      [id, value],
      [`${id}Again`, value],
    ]),
  );
const large = { ...kitchenSink, operations: twice(kitchenSink.operations) } as Contract;

const calls: JsonObject[] = [];
let answer: { data?: unknown; status: number; rawHeaders: Headers };
beforeEach(() => {
  answer = { status: 204, rawHeaders: new Headers() };
  calls.length = 0;
});
/** A client whose methods all return this response. */
const methods = new Proxy(
  {},
  {
    get: (_target, method) => (input: JsonObject) => {
      calls.push({ method, input });
      return Object.assign(Promise.resolve(answer.data), { reply: () => Promise.resolve(answer) });
    },
  },
);
const client = { withOptions: () => methods };

async function connect(contract: Contract, readOnly = false): Promise<Client> {
  const tools = toolsOf(contract, { deprecated: true, readOnly });
  const isRefusal = (error: unknown): error is Refusal => error instanceof RangeError;
  const [near, far] = InMemoryTransport.createLinkedPair();
  await createServer({ contract, client, isRefusal, tools, version: '1.0.0' }).connect(far);
  const connected = new Client({ name: 'test', version: '1.0.0' });
  await connected.connect(near);
  return connected;
}

const textOf = ({ content }: CallToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

test('up to 30 operations become one tool each', async () => {
  const { tools } = await (await connect(kitchenSink)).listTools();
  expect(tools.map(({ name }) => name)).toEqual(Object.keys(kitchenSink.operations));
});

test('supports a list with a range of statuses and another media type', async () => {
  const server = await connect(open);
  const { tools } = await server.listTools();
  const { inputSchema, outputSchema } = tools.find(({ name }) => name === 'listShelves') ?? {};
  const { properties = {} } = inputSchema as { properties?: object };
  expect(properties).toMatchObject({ filter: { type: 'object' }, name: { type: 'string' } });
  expect(outputSchema).toMatchObject({ properties: { items: { items: { $ref: '#/$defs/Shelf' } } } });
  answer = { ...answer, status: 201, data: [{ name: 'a' }, { name: 'b' }] };
  const { structuredContent } = await server.callTool({ name: 'listShelves', arguments: { name: 'b' } });
  expect(structuredContent).toEqual({ items: [{ name: 'b' }], total: 1 });
});

describe('above 30 operations', () => {
  let many: Client;
  const call = (name: string, input: JsonObject) => many.callTool({ name, arguments: input });
  beforeAll(async () => {
    many = await connect(large);
  });

  test('there are three tools of at most 500 tokens each', async () => {
    const { tools } = await many.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search', 'describe', 'call']);
    expect(Buffer.byteLength(JSON.stringify(tools)) / 3).toBeLessThanOrEqual(500 * tools.length);
  });

  test('search finds operations by words, the best match first', async () => {
    const { structuredContent } = await call('search', { query: 'CANCEL a loan' });
    const { operations } = structuredContent as { operations: object[] };
    expect(operations.slice(0, 2)).toMatchObject([{ name: 'cancelLoan' }, { name: 'cancelLoanAgain' }]);
    expect(await call('search', { query: 'zeppelin' })).toMatchObject({
      structuredContent: { operations: [], total: 0 },
    });
    const all = await call('search', { query: '' });
    expect(all.structuredContent).toMatchObject({ total: Object.keys(large.operations).length });
  });

  test('describe gives the same details as a separate tool', async () => {
    const { structuredContent } = await call('describe', { name: 'cancelLoan' });
    const [tool] = toolsOf(kitchenSink).filter(({ name }) => name === 'cancelLoan');
    expect(structuredContent).toMatchObject({ name: 'cancelLoan', inputSchema: tool?.inputSchema });
  });

  test('call checks the arguments as the tool would, then calls', async () => {
    const wrong = await call('call', { name: 'cancelLoan', arguments: { loanId: true } });
    expect(textOf(wrong)).toMatch(/^loanId is true, and must be integer,string\. Send an integer/);
    const done = await call('call', { name: 'cancelLoan', arguments: { loanId: 7 } });
    expect(done.structuredContent).toMatchObject({ loanId: 7 });
    expect(calls).toEqual([{ method: 'cancelLoan', input: { loanId: 7 } }]);
  });

  test.each(['describe', 'call'])('%s explains what to do about an unknown name', async (tool) => {
    const result = await call(tool, { name: 'sellBook' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^There is no operation sellBook\. Find its name with search\./);
    expect(textOf(await call(tool, {}))).toMatch(/^name is missing\. Send text\./);
  });

  test('call may be destructive, unless all operations only read', async () => {
    const hints = async (server: Client) => (await server.listTools()).tools.at(-1)?.annotations;
    expect(await hints(many)).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    const reads = twice(large.operations);
    const onlyReads = await connect({ ...large, operations: reads }, true);
    expect(await hints(onlyReads)).toMatchObject({ readOnlyHint: true, destructiveHint: false });
  });
});
