import { readFileSync } from 'node:fs';
import path from 'node:path';
import { streamList } from '@kit/client/stream';
import { createPetstore, type ReplyBase } from '@petstore/client';
import { createFakePetstore } from '@petstore/client/testing';
import { basePath, contract, examples } from '@petstore/contract';
import type { JsonObject } from '@kit/contract/json-pointer';
import fc from 'fast-check';
import { parse } from 'yaml';
import {
  createHandlers,
  describe as describedIn,
  echo,
  fuzzer,
  startTarget,
  type Answer,
  type Call,
} from '@petstore/server/kitchen-sink';
import { root, startTestService, type TestService } from '@petstore/server/testing';

/*
 * Every operation of openapi.yaml, with handlers that echo: called through the client, and over raw HTTP by the fuzzer.
 * full/kitchen-sink.test.ts has Jest run this where the contract is the kitchen-sink one.
 */

const QUOTA = 1e9;
const seed = 20261122;
const document = parse(readFileSync(path.join(root, 'openapi.yaml'), 'utf8'), {
  maxAliasCount: -1,
}) as JsonObject;
const operations = describedIn({ ...contract, document });

type Method = (input?: JsonObject) => Promise<unknown> & {
  reply(): Promise<ReplyBase & { body: unknown; headers: JsonObject }>;
};
/** A client whose methods the compiler knows nothing of. */
type Petstore = Record<string, Method>;

let service: TestService;
let target: Awaited<ReturnType<typeof startTarget>>;
let key: string;
let accepted: string[] | undefined;

beforeAll(async () => {
  const handlers = createHandlers();
  service = await startTestService({ handlers });
  target = await startTarget(handlers);
  key = await service.key('enterprise', { perMinute: QUOTA, perDay: QUOTA });
});

/** A new client for each call, because the quota in a response would delay the next call. */
function newPetstore(credentials: { apiKey?: string } = { apiKey: key }): Petstore {
  return createPetstore({
    ...credentials,
    baseUrl: service.origin + basePath,
    maxAttempts: 1,
    onDeprecation: () => undefined,
    onRequest: ({ headers }) => void (accepted = headers['accept']?.split(',')),
  }) as unknown as Petstore;
}

function call(petstore: Petstore, id: string, input: JsonObject): ReturnType<Method> {
  const called = petstore[id]?.(input);
  if (!called) throw new Error(`the client has no method ${id}`);
  return called;
}

/** The code of the error that a call is rejected with. */
const failureOf = (called: Promise<unknown>) =>
  called.then(
    () => undefined,
    ({ code }: { code?: string }) => code,
  );

async function itemsOf(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const bytesOf = async (body: unknown) =>
  body instanceof Blob ? new Uint8Array(await body.arrayBuffer()) : body;

async function callThrough(id: string, { input, given }: Call, answer: Answer): Promise<void> {
  service.clock.advance(3_600_000);
  Object.assign(echo, { answer, operation: undefined, input: undefined });
  const called = call(newPetstore(), id, input);
  const failure = failureOf(called);
  const reply = await called.reply();
  expect(echo).toMatchObject({ operation: id });
  const { path: inPath, query, headers, body } = echo.input ?? {};
  expect({ path: inPath, query, headers, body }).toEqual(given);
  expect(reply.rateLimit?.limit).toBe(QUOTA);
  if (answer.status === 304) expect(reply.rawHeaders.get('content-length')).toBeNull();
  const [type = ''] = reply.rawHeaders.get('content-type')?.split(';') ?? [];
  if (type) expect(accepted).toContain(type);
  expect(reply.status).toBe(answer.status);
  expect(await bytesOf(reply.body)).toEqual(answer.body);
  const names = Object.keys(answer.headers ?? {});
  expect(Object.fromEntries(names.map((name) => [name, reply.headers[name]]))).toEqual(answer.headers);
  if (answer.status >= 400) {
    expect(await failure).toBe((answer.body as { code: string }).code);
    return;
  }
  const data = await called;
  expect(await bytesOf(data)).toEqual(answer.body);
  if (Array.isArray(data)) expect(await itemsOf(streamList(newPetstore(), id, input))).toEqual(answer.body);
}

const one = <Value>(values: fc.Arbitrary<Value>) => fc.sample(values, { seed, numRuns: 1 })[0] as Value;
const successOf = ({ answers }: (typeof operations)[number]) =>
  one(answers.filter(({ status }) => status < 300));
const operationOf = (id: string) => operations.find((each) => each.id === id) as (typeof operations)[number];

test.each(operations)('$id keeps to the contract, whatever it is asked', async (operation) => {
  const success = successOf(operation);
  echo.answer = success;
  const seen = await fuzzer.fuzz(operation, target, { seed, numRuns: 100 });
  // Otherwise no request was valid.
  expect(seen.get(success.status)).toBeGreaterThan(0);
});

describe.each(operations)('$id', (operation) => {
  const { id, calls, answers, secured } = operation;
  const { input } = one(calls);

  test('gets the passed input, and the caller gets its response', async () => {
    const whole = fc.asyncProperty(calls, answers, (each, answer) => callThrough(id, each, answer));
    await fc.assert(whole, { seed, numRuns: 30, includeErrorInReport: true });
  });

  test('is called without a key if it is open, and not sent if a key is required', async () => {
    Object.assign(echo, { answer: successOf(operation), operation: undefined });
    const code = await failureOf(call(newPetstore({}), id, input));
    expect([code, echo.operation]).toEqual(secured ? ['invalid_input', undefined] : [undefined, id]);
  });

  test('is answered by the fake as the contract shows it', async () => {
    const { fetch } = createFakePetstore();
    const options = { apiKey: 'pst_test', fetch, onDeprecation: () => undefined };
    const reply = await call(createPetstore(options) as unknown as Petstore, id, input).reply();
    const shown = (examples as Record<string, Answer | undefined>)[id];
    expect(reply.status).toBe(shown?.status);
    if (shown && 'body' in shown) expect(reply.body).toEqual(shown.body);
    for (const [name, value] of Object.entries(shown?.headers ?? {}))
      expect([name, String(reply.headers[name])]).toEqual([name, value]);
  });
});

const book = { kind: 'novel', name: 'Emma', author: null };

/** What may have been rounded, is no integer, or does not fit into 64 bits. */
const INEXACT = [2 ** 53, 1.5, '01', 2n ** 63n];

test.each<[string, JsonObject]>([
  ...INEXACT.flatMap((value): [string, JsonObject][] => [
    ...['after', 'edition', 'X-Snapshot'].map((name): [string, JsonObject] => [
      'findBooks',
      { [name]: value },
    ]),
    ['findBooks', { book: [value] }],
    ['getBook', { bookId: value }],
  ]),
  // Another path (RFC 3986 §5.2.4).
  ...['', '.', '..'].map((label): [string, JsonObject] => ['getShelf', { label }]),
  ['setMotto', { body: undefined }],
  ['createBook', { bookId: 2 ** 53 }],
  ['replaceBook', { body: { ...book, bookId: 2 ** 53 } }],
  ['echoFormats', { int64List: [2 ** 53] }],
])('the client does not send %s an inexact value: %p', async (id, wrong) => {
  const input = { ...one(operationOf(id).calls).input, ...wrong };
  expect(await failureOf(call(newPetstore(), id, input))).toBe('invalid_input');
});

test.each([{ int64: 2 ** 53 }, { int64List: [2 ** 53] }])(
  '%p, which was rounded, is never sent',
  async (body) => {
    echo.answer = { status: 200, body };
    const { input } = one(operationOf('echoFormats').calls);
    expect(await call(newPetstore(), 'echoFormats', input).reply()).toMatchObject({ status: 500 });
  },
);

test('of two paths that match the same requests, the one whose literal segment comes first is meant', async () => {
  echo.answer = { status: 200, body: { ...book, id: 1 } };
  await service.request('/v1/books/latest/cover', { key });
  expect(echo).toMatchObject({ operation: 'getLatestView', input: { path: { view: 'cover' } } });
  echo.answer = { status: 200, body: new Uint8Array([1]) };
  await service.request('/v1/books/7/cover', { key });
  expect(echo).toMatchObject({ operation: 'getCover', input: { path: { bookId: 7n } } });
});
