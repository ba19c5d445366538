import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { CallError, type Options } from '@contract-kit/client';
import { valuesIn } from '@contract-kit/core/values';
import { parseContract, type SourceDocument } from '@contract-kit/core/openapi';
import type { Contract } from '@contract-kit/core';
import { isObject, type JsonObject } from '@contract-kit/core/json';
import { readModel, serverFactory, toolsOf, type Rejection, type Tool } from '@contract-kit/mcp';
import { type AnyHandler, startForCheck } from '@contract-kit/server/internals';
import { createClock } from '@contract-kit/testing';
import { askRaw, createFuzzer } from '@contract-kit/testing/fuzzer';
import { newFolder } from '@contract-kit/test-support/testing';
import { sourcesOf } from '../../src/check/check-file.ts';
import { checkedOf } from '../../src/check/checked.ts';
import { compile } from '../../src/check/compile.ts';
import { requestOf } from '../../src/check/made-request.ts';
import { comparable } from '../support/comparable.ts';
import { requestIn, type Row } from '../kitchen-sink/table.ts';
import { bodyTypeOf, successesOf } from '@contract-kit/core/model';

/* Every row of kitchen-sink/: generated types, a running server, the generated client, its fake, tools for agents, and the fuzzer. */

const folder = path.join(import.meta.dirname, '../kitchen-sink');
const rowsIn = (file: string) => jest.requireActual<{ rows: readonly Row[] }>(`../kitchen-sink/${file}`).rows;
const supported = rowsIn('supported.ts');
const rows = [...['rows.ts', 'unusual.ts', 'newest.ts', 'bodies.ts'].flatMap(rowsIn), ...supported];

type Methods = Record<string, (input?: unknown) => Promise<unknown> & { reply(): Promise<Reply> }>;
type Reply = { readonly status: number; readonly headers: object };
type Create = (options: Options) => Methods;
type CreateFake = (options: { keys: string[]; answers: object }) => { fetch: typeof fetch };

/** What the last handler received, and what the next one returns. */
let received: Record<string, unknown> | undefined;
let answer: object;
/** What the fake returns next, instead of its example. */
let faked: object = {};

/** The services, by the files of their contracts. */
const NAMES: Readonly<Record<string, string>> = {
  'openapi.yaml': 'library',
  'open.yaml': 'shelves',
  'behind.yaml': 'behind',
  'unusual.yaml': 'unusual',
  'newest.yaml': 'newest',
  'bodies.yaml': 'bodies',
  'supported.yaml': 'supported',
};
const FILES = Object.keys(NAMES);

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

const handle = (input: object) => {
  received = { ...input };
  return answer;
};

/** A server of a contract in the folder, and its callers. */
async function serve(file: string, name: string) {
  const names = { name, keyPrefix: 'key_', databaseFile: 'store.db' };
  const source = parseContract(
    readFileSync(path.join(folder, '../../../../test-support/kitchen-sink', file), 'utf8'),
  );
  const checked = checkedOf(source, names);
  const { published, value: contract, errors } = checked;
  const errorBody = errors && { errorBody: errors.errorBody };
  const sources = await sourcesOf(checked);
  // Where the kit's packages resolve.
  const generated = path.join(import.meta.dirname, '../../node_modules/.cache/kitchen-sink', name);
  mkdirSync(generated, { recursive: true });
  for (const [name, code] of Object.entries(sources)) writeFileSync(path.join(generated, name), code);
  const load = <Module extends object>(file: string) =>
    jest.requireActual<Module>(path.join(generated, file));
  const pascal = capital(name);
  const create = load<Record<string, Create>>('index.ts')[`create${pascal}`] as Create;
  const createFake = load<Record<string, CreateFake>>('testing.ts')[`createFake${pascal}`];

  const handlerOf = () => handle as AnyHandler;
  const service = await startForCheck(contract, { dataDir: newFolder(), handlerOf, ...errorBody });
  const { operations } = published.model;
  const answers = Object.fromEntries(operations.map(({ id }) => [id, () => faked]));
  const fake = createFake?.({ keys: [service.key], answers });
  const baseUrl = service.origin + contract.basePath;
  const options = { apiKey: service.key, baseUrl, maxAttempts: 1, onDeprecation: () => undefined };

  const tools = toolsOf(published.model, { deprecated: true });
  const isRejection = (error: unknown): error is Rejection => error instanceof CallError;
  const client = create(options);
  /** Calls a tool of a server that has no other: agents search among many. */
  async function callTool(name: string, input: JsonObject) {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const own = tools.filter((tool) => tool.name === name);
    await serverFactory({ contract, isRejection, tools: own, version: '1.0.0' })(client as never).connect(
      far,
    );
    const agent = new Client({ name: 'test', version: '1.0.0' });
    await agent.connect(near);
    const result = await agent.callTool({ name, arguments: input });
    await agent.close();
    return result;
  }
  return {
    contract,
    made: madeIn(contract, published, tools),
    sources,
    service,
    create,
    client,
    fake: create({ ...options, fetch: fake?.fetch }),
    callTool,
    errorBody,
  };
}

/** What `contract:check` sends to each operation, and what its handler returns then, as statements in TypeScript. */
function madeIn({ examples, document }: Contract, source: SourceDocument, tools: readonly Tool[]): string[] {
  const valueOf = valuesIn(source);
  const { schemas } = readModel(document);
  return source.model.operations.flatMap((operation): string[] => {
    const { id, method } = operation;
    const made = requestOf(operation, valueOf);
    if ('untried' in made) throw new Error(`${id}: ${made.untried}`);
    const input = tools.find(({ name }) => name === id)?.sentOf(made.input) ?? {};
    const takesInput = operation.parameters.length > 0 || operation.body !== undefined;
    const call = `void client.${id}(${takesInput ? literal(input) : ''});`;
    const sent = method === 'HEAD' ? undefined : examples[id]?.body;
    // The types of text and bytes do not depend on a schema.
    const isJson = successesOf(operation).every(
      (response) => !bodyTypeOf(operation, response, schemas).includes('/'),
    );
    if (sent === undefined || !isJson) return [call];
    return [call, `void (${literal(sent)} satisfies Awaited<ReturnType<typeof client.${id}>>);`];
  });
}

function literal(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Blob) return value instanceof File ? "new File([], '')" : 'new Blob([])';
  if (Symbol.asyncIterator in Object(value)) return '(async function* () {})()';
  if (ArrayBuffer.isView(value)) return `new Uint8Array(${literal([...(value as Uint8Array)])})`;
  if (Array.isArray(value)) return `[${value.map(literal).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${literal(item)}`);
  return `{ ${fields.join()} }`;
}

type Service = Awaited<ReturnType<typeof serve>>;
const served: Record<string, Service> = {};
const of = ({ contract }: Row) => served[contract] as Service;

beforeAll(async () => {
  for (const [file, name] of Object.entries(NAMES)) served[file] = await serve(file, name);
});

afterAll(() => Promise.all(Object.values(served).map(({ service }) => service.stop())));

const send = (row: Row, text: string) => {
  const { service } = of(row);
  return askRaw(service.origin, requestIn(row, text, service.key));
};

/** A request with the same Idempotency-Key would not reach the handler again. */
function withNewKey(input: unknown): unknown {
  const isKeyed = typeof input === 'object' && input !== null && 'Idempotency-Key' in input;
  return isKeyed ? { ...input, 'Idempotency-Key': randomUUID() } : input;
}

async function expectReceived(row: Row): Promise<void> {
  expect(received).toBeDefined();
  for (const [place, value] of Object.entries(row.received ?? {}))
    expect([place, await comparable(received?.[place])]).toEqual([place, await comparable(value)]);
}

/** All items of a stream; any other value as it is. */
async function whole(value: unknown): Promise<unknown> {
  if (!(Symbol.asyncIterator in Object(value))) return value;
  const items: unknown[] = [];
  for await (const item of value as AsyncIterable<unknown>) items.push(item);
  return items;
}

/** The arguments of a tool, as a model writes them: a file as a data URL. */
async function asArguments(input: unknown): Promise<JsonObject> {
  const written = async (value: unknown): Promise<unknown> => {
    if (typeof value === 'bigint') return String(value);
    if (ArrayBuffer.isView(value)) return Buffer.from(value as Uint8Array).toString('base64');
    if (value instanceof Blob) {
      const name = value instanceof File ? `;name=${encodeURIComponent(value.name)}` : '';
      const bytes = Buffer.from(await value.arrayBuffer());
      return `data:${value.type}${name};base64,${bytes.toString('base64')}`;
    }
    if (Array.isArray(value)) return Promise.all(value.map(written));
    if (!isObject(value)) return value;
    const fields = Object.entries(value).map(async ([name, item]) => [name, await written(item)] as const);
    return Object.fromEntries(await Promise.all(fields));
  };
  return (await written(input ?? {})) as JsonObject;
}

test('the rows have the types that are generated', async () => {
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
  const sources = Object.entries(NAMES).map(([file, name]) => {
    return Object.entries(served[file]?.sources ?? {}).map(([item, code]) => [`${name}/${item}`, code]);
  });
  const own = ['rows.ts', 'unusual.ts', 'newest.ts', 'bodies.ts', 'table.ts'].map((file) => [
    file,
    read(file),
  ]);
  const files = Object.fromEntries([...sources.flat(), ...own]) as Record<string, string>;
  expect(await compile(files)).toBeUndefined();
});

/** What a row of supported.ts passes on, as statements: its values have the generated types, and those that are wrong have not. */
function typesIn(row: Row): string[] {
  const { operation, input, received = {}, answer, wrong = [], untyped = [], breaks = [] } = row;
  const id = JSON.stringify(operation);
  const call = (value: unknown) => `void client[${id}](${literal(value)});`;
  const isAnswer = (value: object) => `void (${literal(value)} satisfies Answer<Operations[${id}]>);`;
  const places = Object.entries(received).filter(([, value]) => value !== undefined);
  const refused = (statement: string) => `// @ts-expect-error\n${statement}`;
  return [
    ...(input === undefined ? [] : [call(input)]),
    isAnswer(answer),
    ...places.map(
      ([place, value]) =>
        `void (${literal(value)} satisfies Operations[${id}]['received'][${JSON.stringify(place)}]);`,
    ),
    ...wrong.map((value) => refused(call(value))),
    ...untyped.map(call),
    ...breaks.map((value) => refused(isAnswer(value))),
  ];
}

test('the rows of docs/supported.md have the types that are generated, and what is wrong in them has not', async () => {
  const head = `import type { Handler } from '@contract-kit/server';
import type { Supported } from './index.ts';
import type { Operations } from './operations.ts';
type Answer<Of extends Parameters<typeof answerOf>[0]> = Awaited<ReturnType<Handler<Of>>>;
declare function answerOf(operation: Operations[keyof Operations]): void;
declare const client: Supported;
`;
  const { sources } = served['supported.yaml'] as Service;
  const statements = supported.flatMap(typesIn);
  expect(await compile({ ...sources, 'rows.ts': head + statements.join('\n') })).toBeUndefined();
});

test.each(FILES)('the fuzzer reaches every handler, and is rejected: %s', async (file) => {
  const { contract, errorBody } = served[file] as Service;
  const fuzzer = createFuzzer(contract);
  const clock = createClock(Date.now());
  const handlerOf: Parameters<typeof startForCheck>[1]['handlerOf'] = (id) => () =>
    service.exampleOf(id) ?? { status: 204 };
  const service: Awaited<ReturnType<typeof startForCheck>> = await startForCheck(contract, {
    dataDir: newFolder(),
    handlerOf,
    now: clock,
    ...errorBody,
  });
  const target = await fuzzer.targetOf({ ...service, clock, logged: [] });
  const unreached: string[] = [];
  for (const operation of fuzzer.operations) {
    const seen = await fuzzer.fuzz(operation, target, { seed: 20261129, numRuns: 30 });
    const has = (from: number, below: number) =>
      [...seen.keys()].some((status) => status >= from && status < below);
    const takesInput = operation.parameters.length > 0 || operation.body !== undefined;
    if (!has(100, 400)) unreached.push(`${operation.id} is never reached`);
    if (takesInput && !has(400, 500)) unreached.push(`${operation.id} takes everything`);
  }
  await service.stop();
  expect(unreached).toEqual([]);
});

// check-file.test.ts shows that the server takes these requests, and sends these responses.
test.each(FILES)('what a server takes and sends has the generated types: %s', async (file) => {
  const { made, sources } = served[file] as Service;
  const type = capital(NAMES[file] ?? '');
  const head = `import type { ${type} } from './index.ts';\ndeclare const client: ${type};\n`;
  expect(await compile({ ...sources, 'made.ts': head + made.join('\n') })).toBeUndefined();
});

// Rows have the generated types, so this is the other direction: the server takes and sends what the types allow.
test.each(FILES)('every operation has a row that calls it: %s', (file) => {
  const { operations } = readModel((served[file] as Service).contract.document);
  const called = rows.filter(({ contract, input }) => contract === file && input !== undefined);
  // fetch sends no TRACE.
  const all = operations.filter(({ method }) => method !== 'TRACE').map(({ id }) => id);
  expect(all.filter((id) => !called.some(({ operation }) => operation === id))).toEqual([]);
});

describe.each(rows)('$operation: $feature', (row) => {
  const { operation, input, sent = [], answer: answered, rejects = {}, refuses = {}, breaks = [] } = row;
  const { status, body: data } = answered as { status: number; body?: unknown };
  const call = (methods: Methods, given: unknown) =>
    methods[operation]?.(given) as ReturnType<Methods[string]>;

  beforeEach(() => {
    answer = answered;
    received = undefined;
  });

  if (sent.length > 0)
    test.each(sent.map((text) => [text.slice(0, 200), text]))(
      '%j reaches the handler',
      async (_shown, text) => {
        const response = await send(
          row,
          text.replace(/(?<=Idempotency-Key: ).*/, () => randomUUID()),
        );
        expect(response.status).toBe(status);
        await expectReceived(row);
      },
    );

  if (input !== undefined) {
    test('the client sends it, and reads the response', async () => {
      const running = call(of(row).client, withNewKey(input));
      if (row.fails) await expect(running).rejects.toMatchObject(row.fails);
      else expect(await whole(await running)).toEqual('data' in row ? row.data : await whole(data));
      await expectReceived(row);
      expect(await running.reply()).toMatchObject({ status, headers: row.headers ?? {} });
    });

    test('the fake takes it', async () => {
      const example = of(row).contract.examples[operation];
      // It has the media type of the example.
      const isSent = data !== undefined && example?.status === status && typeof example.body === typeof data;
      const { 'Content-Type': type } = (answered as { headers?: Record<string, string> }).headers ?? {};
      faked = isSent ? { body: data, ...(type && { headers: { 'Content-Type': type } }) } : {};
      const given = await whole(await call(of(row).fake, input));
      if (isSent) expect(given).toEqual('data' in row ? row.data : await whole(data));
    });
  }

  if (input !== undefined && !row.isNoTool && !row.fails)
    test('a tool for agents sends it', async () => {
      const result = await of(row).callTool(operation, await asArguments(withNewKey(input)));
      expect(result).not.toMatchObject({ isError: true });
      const { Location } = (row.headers ?? {}) as { Location?: string };
      if (Location) expect(result.content).toContainEqual({ type: 'text', text: `Location: ${Location}` });
      await expectReceived(row);
    });

  for (const value of [...(row.wrong ?? []), ...(row.untyped ?? [])])
    test(`neither the client nor a tool gets it to the handler: ${literal(value)}`, async () => {
      await expect(call(of(row).client, value)).rejects.toThrow(CallError);
      const result = await of(row).callTool(operation, await asArguments(value));
      expect(result).toMatchObject({ isError: true });
      expect(received).toBeUndefined();
    });

  for (const [text, outcome] of Object.entries(rejects)) {
    test(`${JSON.stringify(text.slice(0, 200))} is rejected`, async () => {
      const [code, what] = [outcome].flat() as [number, (string | object)?];
      const response = await send(row, text);
      expect(response.status).toBe(code);
      const body = await response.json();
      if (what) expect(body).toMatchObject(typeof what === 'string' ? { message: what } : what);
      expect(received).toBeUndefined();
    });
  }

  for (const [why, wrong] of Object.entries(refuses))
    test(`the client does not send it: ${why}`, async () => {
      await expect(call(of(row).client, wrong)).rejects.toThrow(why);
      expect(received).toBeUndefined();
    });

  for (const wrong of breaks)
    test(`${JSON.stringify(wrong)} is not sent`, async () => {
      answer = wrong;
      await expect(call(of(row).client, input)).rejects.toMatchObject({ status: 500 });
    });
});

test.each([
  [{ via: 'mail', subject: 3 }, 'body.subject is 3, and must be string. Send text.'],
  [
    { via: 'fax' },
    'body.via is "fax", and must be equal to one of the allowed values. Send one of "mail", "sms".',
  ],
  [{}, 'body.via is missing. Send one of "mail", "sms".'],
])('a tool names what is wrong with the alternative that the tag names: %j', async (body, problem) => {
  const { callTool } = served['behind.yaml'] as Service;
  const { isError, content } = await callTool('addAlert', { body });
  const [text] = content.map((part) => ('text' in part ? part.text.split('\n') : []));
  expect([isError, text]).toEqual([true, [problem, expect.any(String), expect.any(String)]]);
});

test('errors have the shape of the contract, those of the fake too', async () => {
  const { client, fake } = served['open.yaml'] as Service;
  for (const item of [client, fake]) {
    const withOptions = item['withOptions'] as unknown as (options: Options) => Methods;
    const failed = { status: 401, body: { title: 'unauthorized', status: 401 } };
    await expect(withOptions({ apiKey: 'key_wrong' })['listShelves']?.()).rejects.toMatchObject(failed);
  }
  answer = { status: 409, body: { reasons: ['full'] } };
  const unknown = { message: 'postForms: 409 409: {"reasons":["full"]}' };
  await expect(client['postForms']?.({ body: 'Hello' })).rejects.toMatchObject(unknown);
  answer = { status: 409, body: 'Full.' };
  const text = { name: 'ApiError', body: 'Full.', message: 'getTagsByTags: 409 409: Full.' };
  await expect(client['getTagsByTags']?.({ tags: ['a'] })).rejects.toMatchObject(text);
});

test('a QUERY is sent again after a failure, with its body, and a tool for it only reads', async () => {
  const { create, service, contract } = served['newest.yaml'] as Service;
  let lost = 2;
  const flaky: typeof fetch = (...request) => {
    lost -= 1;
    return lost >= 0 ? Promise.reject(new TypeError('fetch failed')) : fetch(...request);
  };
  const baseUrl = service.origin + contract.basePath;
  answer = { status: 200, body: [] };
  received = undefined;
  const running = create({ apiKey: service.key, baseUrl, fetch: flaky })['findBooks']?.({ name: 'Emma' });
  expect(await running?.reply()).toMatchObject({ attempts: 3, body: [] });
  expect(received).toMatchObject({ body: { name: 'Emma' } });
  const tools = toolsOf(readModel(contract.document), { readOnly: true });
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['listBooks', 'findBooks', 'findNotes']));
  expect(names).not.toContain('addAnimal');
  for (const { annotations } of tools)
    expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, idempotentHint: true });
});

/** Of text of any characters, what a URL, a header and a form can carry. */
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 64 })
  .filter((item) => !/^\.{1,2}$/.test(item));

test.each<[string, string, (text: string) => [input: object, received: object]]>([
  ['openapi.yaml', 'findBooks', (tag) => [{ tag: [tag] }, { query: { tag: [tag] } }]],
  ['openapi.yaml', 'findBooks', (word) => [{ word: [word] }, { query: { word: [word] } }]],
  ['openapi.yaml', 'setMotto', (body) => [{ body }, { body }]],
  ['open.yaml', 'getShelvesByIdsByNameJson', (name) => [{ ids: [1], name }, { path: { name } }]],
  ['open.yaml', 'getTagsByTags', (tag) => [{ tags: [tag, tag] }, { path: { tags: [tag, tag] } }]],
  ['open.yaml', 'listShelves', (tag) => [{ filter: { tag: [tag] } }, { query: { filter: { tag: [tag] } } }]],
  ['open.yaml', 'listShelves', (session) => [{ session }, { cookies: { session } }]],
  ['open.yaml', 'postForms', (body) => [{ body }, { body }]],
  [
    'open.yaml',
    'postForms',
    (tag) => [{ body: { file: new Uint8Array(), tags: [tag] } }, { body: { tags: [tag] } }],
  ],
])('any text arrives: %s %s', async (contract, operation, of) => {
  const row = rows.find((row) => row.contract === contract && row.operation === operation) as Row;
  answer = row.answer;
  await fc.assert(
    fc.asyncProperty(text, async (item) => {
      const [input, expected] = of(item);
      await served[contract]?.client[operation]?.(input);
      expect(received).toMatchObject(expected);
    }),
    { seed: 20261122, numRuns: 50 },
  );
});
