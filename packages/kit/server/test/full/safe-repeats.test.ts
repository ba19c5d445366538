import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { describeWith } from '@contract-kit/test-support';
import { startForCheck } from '../../src/checking.ts';
import type { AnyHandler } from '../../src/pipeline/dispatch.ts';
import { contractFrom } from '@contract-kit/test-support/contracts';
import {
  newFolder,
  originOf,
  shared,
  startPostgres,
  startProcess,
  stopAtEnd,
  until,
} from '@contract-kit/test-support/testing';
import { createClock, type TestServiceOptions } from '../../src/testing/service.ts';
import { library } from '../library/library.ts';
import {
  createKey,
  expectError,
  newKey,
  startTestService,
  storedLoans,
  withStore,
  type TestService,
} from '../library/service.ts';
import { createTestTools } from '../support/tools.ts';

/* An operation that declares the header Idempotency-Key: `createBook`. Its handlers here add a loan. */

const HOUR = 60 * 60_000;
const emma = { name: 'Emma', kind: 'novel', author: null, price: 100 };

type Query = Parameters<Parameters<TestService['store']['transaction']>[0]>[1];

/** A service whose handler of `createBook` adds a loan, and then responds with `answer`. */
async function startWith(
  answer: (id: number) => object | Promise<object>,
  { inTransaction = true, ...options }: TestServiceOptions & { readonly inTransaction?: boolean } = {},
) {
  let calls = 0;
  const createBook = async () => {
    calls += 1;
    const add = async (query: Query) => {
      const [row] = await query<{ id: number }>('INSERT INTO loans (book_id) VALUES (1) RETURNING id');
      return answer(row?.id ?? 0);
    };
    return inTransaction
      ? service.store.transaction((_stores, query) => add(query))
      : answer((await service.store.features.loans.create(1, 1, '2026-12-05T12:00:00.000Z')).id ?? 0);
  };
  const service: TestService = await startTestService({ handlers: { createBook }, ...options });
  const key = await service.unlimitedKey();
  return {
    ...service,
    calls: () => calls,
    loans: async () => (await storedLoans(service.store.features.loans)).length,
    create: (idempotencyKey: string, body: object = emma, as = key) =>
      create(service, idempotencyKey, body, as),
  };
}

function create(service: Pick<TestService, 'request'>, idempotencyKey: string, body: object, key: string) {
  return service.request('/v1/books', {
    method: 'POST',
    key,
    headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: JSON.stringify(body),
  });
}

const failureOf = (status: number, code: string) => ({
  status,
  headers: { 'Retry-After': '1' },
  body: { code, message: 'Later.', status },
});

const created = (id: number) => ({
  status: 201,
  headers: { Location: `/v1/books/${id}` },
  body: { ...emma, id, asked: 120 },
});

/** What a client sees of a response, without the headers that differ in every response. */
async function seen(response: Response) {
  const { status, headers } = response;
  return {
    status,
    location: headers.get('location'),
    type: headers.get('content-type'),
    body: await response.text(),
  };
}

function describeRepeats(engine: string, env: () => Promise<Record<string, string>>): void {
  describe(`with ${engine}, a request with an Idempotency-Key`, () => {
    test.each([
      ['in a transaction', true],
      ['without a transaction', false],
    ])('runs once %s, and each repeat gets the same response', async (_, inTransaction) => {
      const { create, calls, loans } = await startWith(created, { inTransaction, env: await env() });
      const key = randomUUID();
      const first = await seen(await create(key));
      expect(first).toMatchObject({ status: 201, location: '/v1/books/1' });
      const repeats = await Promise.all([1, 2, 3, 4, 5].map(async () => seen(await create(key))));
      expect(repeats).toEqual(Array(5).fill(first));
      expect([calls(), await loans()]).toEqual([1, 1]);
      expect((await seen(await create(randomUUID()))).location).toBe('/v1/books/2');
    });

    test('gets 422 if the key was sent with another body', async () => {
      const { create, calls } = await startWith(created, { env: await env() });
      const key = randomUUID();
      await create(key);
      await expectError(await create(key, { ...emma, price: 101 }), 'idempotency_key_reused');
      expect(calls()).toBe(1);
    });

    test('gets 409 while the first one is under way, with the time to retry after', async () => {
      let finish: (answer: object) => void = () => undefined;
      const answer = new Promise<object>((resolve) => (finish = resolve));
      const { create, calls } = await startWith(() => answer, { env: await env(), inTransaction: false });
      const key = randomUUID();
      const first = create(key);
      await until(() => calls() === 1);
      const repeat = await create(key);
      expect(repeat.headers.get('retry-after')).toBe('1');
      await expectError(repeat, 'idempotency_key_in_use');
      finish(created(1));
      expect((await first).status).toBe(201);
      expect(await seen(await create(key))).toMatchObject({ status: 201, location: '/v1/books/1' });
    });

    test('shares its response with the API keys of its owner only', async () => {
      const { create, loans, store } = await startWith(created, { env: await env() });
      const keyOf = async (owner?: string) => {
        const wanted = { name: 'till', plan: 'pro', now: new Date(), ...(owner !== undefined && { owner }) };
        return (await createKey(store.keys, wanted)).key;
      };
      const key = randomUUID();
      await create(key, emma, await keyOf('shop-1'));
      const locations = [];
      for (const apiKey of [await keyOf('shop-1'), await keyOf('shop-2'), await keyOf()])
        locations.push((await seen(await create(key, emma, apiKey))).location);
      expect(locations).toEqual(['/v1/books/1', '/v1/books/2', '/v1/books/3']);
      expect(await loans()).toBe(3);
    });

    test.each([
      ['an error', { status: 500, body: { code: 'internal_error', message: 'No.', status: 500 } }],
      ['503', failureOf(503, 'service_unavailable')],
      ['429', failureOf(429, 'rate_limit_exceeded')],
      ['an exception', undefined],
    ])('runs again after %s', async (_, failure) => {
      const answers = [failure, created(2)];
      const answer = () => {
        const next = answers.shift();
        if (!next) throw new TypeError('the handler fails');
        return next;
      };
      const { create, calls } = await startWith(answer, { env: await env() });
      const key = randomUUID();
      expect((await create(key)).status).toBe(failure?.status ?? 500);
      expect((await create(key)).status).toBe(201);
      expect(calls()).toBe(2);
      expect((await create(key)).status).toBe(201);
      expect(calls()).toBe(2);
    });

    test.each([
      ['in a transaction', true],
      ['without a transaction', false],
    ])('does not run again %s if its response was too long to be kept', async (_, inTransaction) => {
      const around = JSON.stringify({ ...created(1).body, notes: '' }).length;
      let length = 1_000_000;
      const long = (id: number) => ({
        ...created(id),
        body: { ...created(id).body, notes: 'a'.repeat(length - around) },
      });
      const { create, loans, store } = await startWith(long, { env: await env(), inTransaction });
      const longest = randomUUID();
      const { body } = await seen(await create(longest));
      expect(body).toHaveLength(1_000_000);
      expect((await seen(await create(longest))).body).toBe(body);
      length += 1;
      const key = randomUUID();
      expect((await create(key)).status).toBe(201);
      await expectError(await create(key), 'idempotency_response_missing');
      expect(await loans()).toBe(2);
      const kept = await store.responses.query<{ status: number | null }>(
        'SELECT status FROM idempotency_keys ORDER BY status',
        [],
      );
      expect(kept.map(({ status }) => status).filter((status) => status !== null)).toEqual([201]);
    });

    test('is forgotten after 24 hours, and its row is deleted', async () => {
      const { create, store, clock, loans } = await startWith(created, { env: await env() });
      const rows = async () => (await store.responses.query('SELECT id FROM idempotency_keys')).length;
      const keys = Array.from({ length: 150 }, () => randomUUID());
      for (const key of keys) await create(key);
      clock.advance(24 * HOUR - 1);
      expect((await seen(await create(keys[0] ?? ''))).location).toBe('/v1/books/1');
      clock.advance(60_000);
      expect((await seen(await create(keys[0] ?? ''))).location).toBe('/v1/books/151');
      expect(await loans()).toBe(151);
      await create(randomUUID());
      await until(async () => (await rows()) === 2);
    });
  });
}

describe('a repeat', () => {
  test.each([
    ['was revoked', 401, (service: TestService, id: string) => service.store.keys.revoke(id, new Date())],
    [
      'is banned',
      429,
      async (service: TestService, _id: string, key: string) => {
        const last = () => service.request('/v1/books?unknown', { key });
        await until(
          async () => ((await (await last()).json()) as { code: string }).code === 'api_key_banned',
        );
      },
    ],
  ] as const)('is rejected if its key %s', async (_, status, lose) => {
    const { calls, ...service } = await startWith(created);
    const { id, key } = await service.keyWithId('enterprise', { perMinute: 3, perDay: 100 });
    const idempotencyKey = randomUUID();
    expect((await service.create(idempotencyKey, emma, key)).status).toBe(201);
    await lose(service, id, key);
    service.clock.advance(5_000);
    expect((await service.create(idempotencyKey, emma, key)).status).toBe(status);
    expect(calls()).toBe(1);
  });

  test('runs for the new owner of its key, and not for the old one', async () => {
    const { calls, ...service } = await startWith(created);
    const keyOf = async (owner: string) =>
      createKey(service.store.keys, { name: 'till', plan: 'pro', owner, now: new Date() });
    const [{ id, key }, { key: other }] = [await keyOf('shop-1'), await keyOf('shop-1')];
    const idempotencyKey = randomUUID();
    await service.create(idempotencyKey, emma, key);
    const before = (await service.store.keys.list()).find((record) => record.id === id);
    const event = { at: '', action: 'changed', keyId: id, actor: 'ada' } as const;
    if (!before) throw new Error('there is no such key');
    await service.store.keys.change(id, before, { ...before, owner: 'shop-2' }, event);
    service.clock.advance(5_000);
    expect((await seen(await service.create(idempotencyKey, emma, other))).location).toBe('/v1/books/1');
    expect((await seen(await service.create(idempotencyKey, emma, key))).location).toBe('/v1/books/2');
    expect(calls()).toBe(2);
  });

  test('is rejected if its token has expired, and gets the response with the next one', async () => {
    const clock = createClock();
    const expiring = () => ({ id: 'user:1', plan: 'pro', expiresAt: new Date(clock() + 60_000) });
    let identity = expiring();
    const authenticate = () => Promise.resolve(identity);
    let calls = 0;
    const createBook = () => created((calls += 1));
    const service = await createTestTools({ ...library, authenticate }).startTestService({
      clock,
      handlers: { createBook },
    });
    const idempotencyKey = randomUUID();
    const send = () => create(service, idempotencyKey, emma, 'a-token');
    const first = await seen(await send());
    clock.advance(60_000);
    expect((await send()).status).toBe(401);
    identity = expiring();
    expect(await seen(await send())).toEqual(first);
    expect(calls).toBe(1);
  });

  test('gets the response without Redis', async () => {
    const { create, calls } = await startWith(created, { env: { REDIS_URL: 'redis://127.0.0.1:1' } });
    const key = randomUUID();
    const first = await seen(await create(key));
    expect(await seen(await create(key))).toEqual(first);
    expect(calls()).toBe(1);
  });
});

/** The library with pauses, in another process. */
async function startPausing(env: Record<string, string>) {
  const file = path.join(__dirname, '../library/pausing.ts');
  const running = startProcess(process.execPath, ['--import', 'tsx', file], {
    env: { PATH: process.env['PATH'], ...env },
  });
  stopAtEnd('service', () => running.kill('SIGKILL'));
  return { ...running, origin: await originOf(running) };
}

/** Sends the request, and kills the process of the service when its handler has come to its pause. */
async function killAmid(
  env: Record<string, string>,
  send: (origin: string) => Promise<Response>,
): Promise<void> {
  const { origin, output, kill } = await startPausing(env);
  const lost = send(origin).catch(() => undefined);
  await until(() => output.stdout.includes('paused'));
  await kill('SIGKILL');
  await lost;
}

const sender = (key: string, name: string) => {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  return (origin: string) =>
    fetch(`${origin}/v1/books`, { method: 'POST', headers, body: JSON.stringify({ ...emma, name }) });
};

describeRepeats('SQLite', () => Promise.resolve({}));

describe('with SQLite, after kill -9', () => {
  const loansIn = (dataDir: string) =>
    withStore(dataDir, async ({ features: { loans } }) => (await storedLoans(loans)).length);

  test('between commit and response, a repeat gets the response, and there is one row', async () => {
    const DATA_DIR = newFolder();
    const send = sender(await withStore(DATA_DIR, newKey), 'after');
    await killAmid({ DATA_DIR }, send);
    const restarted = await startPausing({ DATA_DIR });
    expect(await seen(await send(restarted.origin))).toMatchObject({ status: 201, location: '/v1/books/1' });
    expect(await seen(await send(restarted.origin))).toMatchObject({ status: 201, location: '/v1/books/1' });
    await restarted.kill('SIGKILL');
    expect(await loansIn(DATA_DIR)).toBe(1);
  });

  test('before the commit, a repeat is not run again', async () => {
    const DATA_DIR = newFolder();
    const send = sender(await withStore(DATA_DIR, newKey), 'before');
    await killAmid({ DATA_DIR }, send);
    const restarted = await startPausing({ DATA_DIR });
    await expectError(await send(restarted.origin), 'idempotency_response_missing');
    await restarted.kill('SIGKILL');
    expect(await loansIn(DATA_DIR)).toBe(0);
  });
});

describeWith(['PostgreSQL'], 'on PostgreSQL', () => {
  const postgres = shared(startPostgres);
  const newEnv = async () => ({ DATABASE_URL: await postgres.createDatabase() });
  describeRepeats('PostgreSQL', newEnv);

  test('a repeat at another instance gets 409 while the first one is under way, and then its response', async () => {
    let finish: (answer: object) => void = () => undefined;
    const answer = new Promise<object>((resolve) => (finish = resolve));
    const env = await newEnv();
    const first = await startWith(() => answer, { env, inTransaction: false });
    const other = await startWith(() => answer, { env });
    const [key, apiKey] = [randomUUID(), await first.unlimitedKey()];
    const response = first.create(key, emma, apiKey);
    await until(() => first.calls() === 1);
    await expectError(await other.create(key, emma, apiKey), 'idempotency_key_in_use');
    finish(created(1));
    expect(await seen(await other.create(key, emma, apiKey))).toEqual(await seen(await response));
    expect(other.calls()).toBe(0);
  });

  test.each([
    ['between commit and response', 'after', 1],
    ['before the commit', 'before', 0],
  ])('after kill -9 of an instance %s, another does not run its request again', async (_, name, rows) => {
    const env = await newEnv();
    const other = await startTestService({ env });
    const send = sender(await other.unlimitedKey(), name);
    await killAmid({ ...env, DATA_DIR: newFolder() }, send);
    if (rows === 0) {
      await expectError(await send(other.origin), 'idempotency_key_in_use');
      // As after a minute.
      await postgres.run('UPDATE idempotency_keys SET claimed_until = 0', env.DATABASE_URL);
      await expectError(await send(other.origin), 'idempotency_response_missing');
    } else {
      expect(await seen(await send(other.origin))).toMatchObject({ status: 201, location: '/v1/books/1' });
    }
    expect(await storedLoans(other.store.features.loans)).toHaveLength(rows);
  });
});

test('a repeat gets a file again, and no stream', async () => {
  let calls = 0;
  let answer: () => unknown = () => new File(['four'], 'a.png', { type: 'image/png' });
  const handlerOf = (): AnyHandler => () => {
    calls += 1;
    return { status: 200, body: answer() };
  };
  const contract = contractFrom(`openapi: 3.1.0
info: { title: Receipts, version: 1.0.0 }
security: [{ key: [] }]
paths:
  /receipts:
    post:
      operationId: print
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      responses: { '200': { description: A picture., content: { 'image/*': {} } } }
components: { securitySchemes: { key: { type: http, scheme: bearer } } }
`);
  const { origin, key, stop } = await startForCheck(contract, { dataDir: newFolder(), handlerOf });
  stopAtEnd('service', stop);
  const print = async (idempotencyKey: string) => {
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': idempotencyKey };
    const response = await fetch(`${origin}/receipts`, { method: 'POST', headers });
    const of = (name: string) => response.headers.get(name);
    return [response.status, of('content-type'), of('content-disposition'), await response.text()];
  };
  const first = await print('a');
  expect(first).toEqual([200, 'image/png', 'attachment; filename="a.png"', 'four']);
  expect(await print('a')).toEqual(first);
  expect(calls).toBe(1);
  answer = () => new Blob(['four'], { type: 'image/png' }).stream();
  expect((await print('b'))[0]).toBe(200);
  expect((await print('b'))[0]).toBe(409);
  expect(calls).toBe(2);
});
