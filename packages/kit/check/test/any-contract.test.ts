import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startForCheck, type AnyHandler } from '@kit/server/checking';
import { contractOf } from '@kit/tools/contract-value';
import { fakeErrorsOf } from '@kit/tools/fake-errors';
import { parseContract } from '@kit/tools/source-document';
import { ApiError, createClient } from '@kit/client';
import { createFake } from '@kit/client/testing';

/* A client of the contract in open.yaml, whose inputs are of every kind, and the handlers that receive them. */

const file = path.join(import.meta.dirname, '../../tools/test/kitchen-sink/open.yaml');
const names = { name: 'shelves', keyPrefix: 'sh_', databaseFile: 'store.db' };
const source = parseContract(readFileSync(file, 'utf8'));
const contract = contractOf(source, names);
const called = { ...contract, servers: {}, headerTypes: {}, ownErrors: true };

type Methods = Record<string, (input?: unknown, options?: object) => Promise<unknown>>;
let received: unknown;
let answer: unknown;
let service: Awaited<ReturnType<typeof startForCheck>>;
let client: Methods;

beforeAll(async () => {
  const handle = (input: object) => {
    received = input;
    return answer;
  };
  const handlers = Object.fromEntries(
    Object.keys(contract.operations).map((id) => [id, handle as AnyHandler]),
  );
  service = await startForCheck(contract, { dataDir: mkdtempSync(path.join(tmpdir(), 'any-')), handlers });
  client = createClient(called, {
    apiKey: service.key,
    baseUrl: service.origin + contract.basePath,
  }) as Methods;
});

afterAll(() => service.stop());

const OK: Readonly<Record<string, unknown>> = {
  listShelves: { status: 200, headers: { 'X-Total': 1 }, body: [] },
  getShelvesByIdsByNameJson: { status: 200, body: { name: 'a' } },
  postKeywords: { status: 200, body: {} },
  postForms: { status: 204 },
};
const png = new Uint8Array([137, 80, 78, 71]);

test.each<[operation: string, input: object, received: object]>([
  [
    'listShelves',
    { filter: { size: 3, tag: ['a&b', 'c'] } },
    { query: { filter: { size: 3, tag: ['a&b', 'c'] } } },
  ],
  ['listShelves', { piped: [1, 2] }, { query: { piped: [1, 2] } }],
  ['listShelves', { spaced: ['a', 'b,c'] }, { query: { spaced: ['a', 'b,c'] } }],
  ['listShelves', { either: 12 }, { query: { either: 12 } }],
  ['listShelves', { 'tags[]': ['a', 'b'] }, { query: { 'tags[]': ['a', 'b'] } }],
  ['listShelves', { json: { a: 1 } }, { query: { json: { a: 1 } } }],
  ['listShelves', { box: { width: 1.5, deep: true } }, { query: { box: { width: 1.5, deep: true } } }],
  ['listShelves', { 'X-Ids': ['9007199254740993', 2n] }, { headers: { 'X-Ids': [9007199254740993n, 2n] } }],
  ['listShelves', { session: 'a b' }, { cookies: { session: 'a b' } }],
  ['getShelvesByIdsByNameJson', { ids: [1, '2'], name: 'a/b' }, { path: { ids: [1n, 2n], name: 'a/b' } }],
  ['postKeywords', { body: { kind: 'a', tuple: [1, 'b'] } }, { body: { kind: 'a', tuple: [1, 'b'] } }],
  [
    'postForms',
    { body: { file: png, count: 3, tags: ['a', 'b'] } },
    { body: { file: png, count: 3, tags: ['a', 'b'] } },
  ],
  ['postForms', { body: 'Hello' }, { body: 'Hello' }],
  ['postForms', { body: png }, { body: png }],
])('%s of %j reaches the handler as %j', async (operation, input, expected) => {
  answer = OK[operation];
  await client[operation]?.(input);
  expect(received).toMatchObject(expected);
});

test.each([
  ['getShelvesByIdsByNameJson', { name: 'a' }, 'ids is missing'],
  ['listShelves', { 'X-Ids': [2 ** 60] }, 'X-Ids is not an exact 64-bit integer'],
  ['listShelves', { spaced: ['b c'] }, 'spaced cannot be sent exactly'],
  ['listShelves', { box: { width: [1] } }, 'box cannot be sent exactly'],
  ['postForms', { body: 3 }, 'body cannot be sent as multipart/form-data'],
])('%s of %j is refused', async (operation, input, why) => {
  await expect(client[operation]?.(input)).rejects.toThrow(why);
});

test('the fake rejects as the service does, in the shape of the contract', async () => {
  const errors = fakeErrorsOf(source);
  const { fetch } = createFake({ ...contract, errorCodes: {}, examples: {}, errors }, { keys: ['right'] });
  const wrong = { apiKey: 'wrong', baseUrl: service.origin + contract.basePath };
  const callers = [createClient(called, wrong), createClient(called, { ...wrong, fetch })] as Methods[];
  for (const caller of callers) {
    const failure = await caller['listShelves']?.().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ status: 401, body: { title: 'unauthorized', status: 401 } });
  }
});
