import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client, InMemoryTransport, type CallToolResult } from '@modelcontextprotocol/client';
import type { Contract } from '@contract-kit/core';
import type { JsonObject } from '@contract-kit/core/json';
import { readModel, serverFactory, toolsOf, type Rejection, type Tool } from '../src/index.ts';
import { contractOf, parseContract } from '@contract-kit/core/openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/* The tools of the kitchen-sink contract. */

const names = { name: 'library', keyPrefix: 'lib_', databaseFile: 'store.db' };
const folder = path.dirname(require.resolve('@contract-kit/test-support/kitchen-sink/openapi.yaml'));
const [kitchenSink, open] = ['openapi.yaml', 'open.yaml'].map((file) =>
  contractOf(parseContract(readFileSync(path.join(folder, file), 'utf8')), names),
) as [Contract, Contract];
/** The contract with a copy of each operation, on a path below. */
function twice({ document, ...contract }: Contract): Contract {
  const copyOf = (item: JsonObject) =>
    Object.fromEntries(
      Object.entries(item).map(([method, value]) => {
        const { operationId } = value as { readonly operationId?: string };
        return [
          method,
          operationId === undefined ? value : { ...(value as object), operationId: `${operationId}Again` },
        ];
      }),
    );
  const paths = Object.entries(document['paths'] as Record<string, JsonObject>).flatMap(([path, item]) => [
    [path, item],
    [`${path}/again`, copyOf(item)],
  ]);
  return { ...contract, document: { ...document, paths: Object.fromEntries(paths) as JsonObject } };
}
/** A contract of many operations. */
const large = twice(kitchenSink);
const idsOf = ({ document }: Contract) => readModel(document).operations.map(({ id }) => id);

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
  const tools = toolsOf(readModel(contract.document), { deprecated: true, readOnly });
  const isRejection = (error: unknown): error is Rejection => error instanceof RangeError;
  const [near, far] = InMemoryTransport.createLinkedPair();
  await serverFactory({ contract, isRejection, tools, version: '1.0.0' })(client).connect(far);
  const connected = new Client({ name: 'test', version: '1.0.0' });
  await connected.connect(near);
  return connected;
}

const textOf = ({ content }: CallToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

test('up to 30 operations become one tool each', async () => {
  const { tools } = await (await connect(kitchenSink)).listTools();
  expect(tools.map(({ name }) => name)).toEqual(idsOf(kitchenSink));
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

describe('a list', () => {
  const LOANS = 1000;
  let server: Client;
  const list = (input: JsonObject) => server.callTool({ name: 'listLoans', arguments: input });
  beforeAll(async () => {
    server = await connect(kitchenSink);
  });
  beforeEach(() => {
    const dueDate = '2026-11-24T09:00:00.000Z';
    const loans = Array.from({ length: LOANS }, (_, index) => ({ id: index + 1, bookId: 12, dueDate }));
    answer = { ...answer, status: 200, data: [...loans, { id: 9007199254740991 }] };
  });

  test('that is long is given in parts, and all parts are the whole list', async () => {
    const ids: unknown[] = [];
    let parts = 0;
    for (let offset: unknown = 0; offset !== undefined; parts++) {
      const result = await list({ offset });
      const { items, total, nextOffset } = result.structuredContent as Record<string, unknown>;
      ids.push(...(items as { id: unknown }[]).map(({ id }) => id));
      expect(total).toBe(LOANS + 1);
      expect(textOf(result).length).toBeLessThan(21_000);
      if (nextOffset !== undefined)
        expect(textOf(result)).toContain(
          `of ${LOANS + 1} items. Call again with offset ${nextOffset as number}`,
        );
      offset = nextOffset;
    }
    expect(parts).toBeGreaterThan(2);
    expect(ids).toEqual([...Array.from({ length: LOANS }, (_, index) => index + 1), 9007199254740991]);
  });

  test.each<[JsonObject, object]>([
    [
      { bookId: 12, id: '7' },
      { items: [{ id: 7, bookId: 12 }], total: 1 },
    ],
    [{ bookId: '13' }, { items: [], total: 0 }],
    [
      { bookId: 12, limit: 2, offset: 3 },
      { items: [{ id: 4 }, { id: 5 }], total: LOANS, nextOffset: 5 },
    ],
    [
      { limit: 5, offset: LOANS },
      { items: [{ id: 9007199254740991 }], total: LOANS + 1 },
    ],
  ])('is filtered by fields and limited: %j', async (input, expected) => {
    expect((await list(input)).structuredContent).toMatchObject(expected);
  });

  test('names an unknown filter, and the known ones', async () => {
    const result = await list({ status: 'late', limit: 0 });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(
      /^status does not exist\. Leave it out, or send one of: id, bookId, .*, limit, offset\.$/m,
    );
    expect(textOf(result)).toMatch(/^limit is 0, and must be >= 1\. Send an integer of at least 1\.$/m);
    expect(calls).toEqual([]);
  });
});

test.each([
  [2 ** 53, /^loanId is above 2\^53−1, .* Send its digits as text/],
  ['01', /^loanId is "01", and must match pattern .*\. Send an integer such as 42, or its digits as text/],
  [1.5, /^loanId is 1\.5, and must be integer or string\. Send an integer such as 42, or/],
  [
    undefined,
    /^loanId is missing\. Send an integer such as 42.*\nNothing was sent\..*\nCode: invalid_input\.$/s,
  ],
])('the id %p is refused with the problem and the remedy, and nothing is sent', async (loanId, message) => {
  const server = await connect(kitchenSink);
  const given = loanId === undefined ? {} : { loanId };
  const result = await server.callTool({ name: 'cancelLoan', arguments: given });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toMatch(message);
  expect(calls).toEqual([]);
});

test.each(['1', 2])('a result without a body names what the call was for: %p', async (loanId) => {
  const server = await connect(kitchenSink);
  const result = await server.callTool({ name: 'cancelLoan', arguments: { loanId } });
  const { outcome } = result.structuredContent as { outcome: string };
  expect(result.structuredContent).toEqual({ outcome, loanId });
  expect(textOf(result)).toBe(`${outcome} (loanId: ${loanId})`);
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
    expect(all.structuredContent).toMatchObject({ total: idsOf(large).length });
  });

  test('describe gives the same details as a separate tool', async () => {
    const { structuredContent } = await call('describe', { name: 'cancelLoan' });
    const [tool] = toolsOf(readModel(kitchenSink.document)).filter(({ name }) => name === 'cancelLoan');
    expect(structuredContent).toMatchObject({ name: 'cancelLoan', inputSchema: tool?.inputSchema });
  });

  test('call checks the arguments as the tool would, then calls', async () => {
    const wrong = await call('call', { name: 'cancelLoan', arguments: { loanId: true } });
    expect(textOf(wrong)).toMatch(/^loanId is true, and must be integer or string\. Send an integer/);
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
    const onlyReads = await connect(twice(large), true);
    expect(await hints(onlyReads)).toMatchObject({ readOnlyHint: true, destructiveHint: false });
  });
});

const tools = toolsOf(readModel(kitchenSink.document), { deprecated: true });
const tool = (name: string) => tools.find((tool) => tool.name === name) as Tool;

test('schemas are plain JSON Schema, of objects, with an object for each property', () => {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true });
  addFormats.default(ajv);
  for (const ours of ['int32', 'int64', 'float', 'double', 'byte', 'password']) delete ajv.formats[ours];
  for (const schema of tools.flatMap(({ inputSchema, outputSchema = inputSchema }) => [
    inputSchema,
    outputSchema,
  ])) {
    expect(schema['type']).toBe('object');
    expect(() => ajv.compile(schema)).not.toThrow();
    JSON.stringify(schema, (key, value: unknown) => {
      if (key === 'properties')
        for (const property of Object.values(value as object)) expect(property).toEqual(expect.any(Object));
      return value;
    });
  }
});

const int64 = {
  type: ['integer', 'string'],
  pattern: '^(0|-?[1-9][0-9]{0,18})$',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
};

test.each([
  ['findBooks', 'after', { ...int64, default: 0, description: 'The last id of the page before.' }],
  ['findBooks', 'book', { type: 'array', maxItems: 50, items: int64, description: 'These books.' }],
  ['findBooks', 'X-Snapshot', { ...int64, description: 'The state to read.' }],
  ['findBooks', 'age', { type: ['integer', 'null'], description: 'In years; null where nobody knows.' }],
  ['getBook', 'bookId', { ...int64, minimum: 1, description: 'Which book.' }],
  ['echoFormats', 'int64', { type: 'integer' }],
  ['pay', 'body', { $ref: '#/$defs/Payment' }],
  ['changeBook', 'body', expect.objectContaining({ type: 'object' })],
])('%s accepts %s as the client does, and 64-bit integers as numbers or text', (name, property, schema) => {
  expect(tool(name).inputSchema['properties']).toHaveProperty([property], schema);
});

test('a recursive schema refers to itself in $defs', () => {
  const children = { type: 'array', items: { $ref: '#/$defs/Category' } };
  expect(tool('replaceCategories').inputSchema['$defs']).toMatchObject({
    Category: { properties: { children } },
  });
});

test.each([
  ['a GET', 'getBook', [true, false, true, false]],
  ['a PUT', 'replaceBook', [false, true, true, false]],
  ['a DELETE', 'removeBook', [false, true, true, false]],
  ['a PATCH', 'changeBook', [false, true, false, false]],
  ['a POST that adds', 'createBook', [false, false, false, false]],
  ['another POST', 'pay', [false, true, false, false]],
])('the annotations of %s follow from method and statuses', (_what, name, hints) => {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool(name).annotations;
  expect([readOnlyHint, destructiveHint, idempotentHint, openWorldHint]).toEqual(hints);
});
