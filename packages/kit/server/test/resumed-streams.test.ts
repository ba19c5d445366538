import { createClient, readStream, writeBody, type ClientContract, type Options } from '@contract-kit/client';
import { clientOperationsOf } from '@contract-kit/client/operations';
import { readModel } from '@contract-kit/core/model';
import { shared } from '@contract-kit/test-support/testing';
import type { HandlerContext } from '../src/index.ts';
import { contract, lasting } from './library/lasting.ts';
import { forever, then } from './library/streaming.ts';

/* What the client of a contract makes of streams that end because its key is not what it was. */

interface Item {
  readonly id: string;
}
type Library = Record<'events' | 'otherEvents' | 'lines', () => Promise<AsyncGenerator<Item, void>>>;

/** Who holds tokens that are no keys, by their tokens, and until when. */
const tokens = new Map<string, Date>();
const { startTestService, createKey } = lasting((token) => {
  const expiresAt = tokens.get(token);
  return expiresAt && { id: 'ada', plan: 'pro', scopes: ['read'], expiresAt };
});

/** Two items for each connection, after the last one of the connection before. */
function events(input: unknown, { signal }: HandlerContext) {
  const { headers } = input as { headers: Record<string, string | undefined> };
  const last = Number(headers['Last-Event-ID'] ?? 0);
  const items = [last + 1, last + 2].map((n) => ({ id: String(n), data: { n } }));
  return { status: 200, body: then(items, () => forever(signal)) };
}
const service = shared(() => startTestService({ handlers: { events } }));

const statuses: number[] = [];
beforeEach(() => void (statuses.length = 0));

function client(apiKey: Options['apiKey']): Library {
  const { name, version, basePath, document } = contract;
  const operations = clientOperationsOf(readModel(document));
  const described: ClientContract = { name, version, basePath, operations, servers: {}, headerTypes: {} };
  let time = 0;
  const options: Options = {
    apiKey,
    baseUrl: `${service.origin}${basePath}`,
    // It moves only by waiting.
    clock: { now: () => time, sleep: (milliseconds) => Promise.resolve(void (time += milliseconds)) },
    onResponse: ({ status }) => void statuses.push(status),
    onWait: () => undefined,
  };
  return createClient(described, options, { readStream, writeBody }) as Library;
}

const newKey = (quota = { perMinute: 1_000, perDay: 100_000 }) =>
  createKey(service.store.keys, {
    ...{ name: 'test', plan: 'enterprise', quota, scopes: ['read'] },
    now: new Date(service.clock()),
  });

/** The next two items. */
const two = async (items: AsyncGenerator<Item, void>) => [
  (await items.next()).value?.id,
  (await items.next()).value?.id,
];

async function loseKey(id: string): Promise<void> {
  await service.store.keys.revoke(id, new Date());
  service.clock.advance(5_000);
}

test('the loop over events throws the 401 of a revoked key, and sends no further request', async () => {
  const { id, key } = await newKey();
  const items = await client(key).events();
  expect(await two(items)).toEqual(['1', '2']);
  await loseKey(id);
  await expect(items.next()).rejects.toMatchObject({ name: 'ApiError', status: 401, code: 'unauthorized' });
  expect(statuses).toEqual([200, 401]);
  expect(await items.next()).toMatchObject({ done: true });
});

test('the loop continues with the key of the function that is called after a 401', async () => {
  const [before, after] = [await newKey(), await newKey()];
  const keys = [before.key, after.key];
  const items = await client(() => keys.shift() ?? '').events();
  expect(await two(items)).toEqual(['1', '2']);
  await loseKey(before.id);
  expect(await two(items)).toEqual(['3', '4']);
  expect(statuses).toEqual([200, 401, 200]);
  await items.return();
});

test('the loop continues with the next token when one expires', async () => {
  const inAnHour = new Date(service.clock() + 60 * 60_000);
  tokens.set('first', inAnHour).set('second', new Date(service.clock() + 24 * 60 * 60_000));
  const shown = ['first', 'second'];
  const items = await client(() => shown.shift() ?? '').events();
  expect(await two(items)).toEqual(['1', '2']);
  service.clock.advance(60 * 60_000);
  expect(await two(items)).toEqual(['3', '4']);
  await items.return();
});

test('the loop continues if the key has another owner, whose response it gets', async () => {
  const { id, key } = await newKey();
  const items = await client(key).events();
  expect(await two(items)).toEqual(['1', '2']);
  const [before] = (await service.store.keys.list()).filter((record) => record.id === id);
  if (!before) throw new Error('the key is lost');
  const event = { at: '', action: 'changed', keyId: id, actor: 'ada' } as const;
  await service.store.keys.change(id, before, { ...before, owner: 'shop-2' }, event);
  service.clock.advance(5_000);
  expect(await two(items)).toEqual(['3', '4']);
  expect(statuses).toEqual([200, 200]);
  await items.return();
});

test('the loop throws the 429 of a key that is banned for longer than the budget', async () => {
  const { key } = await newKey({ perMinute: 3, perDay: 100 });
  const items = await client(key).events();
  expect(await two(items)).toEqual(['1', '2']);
  for (let times = 0; times < 5; times += 1) await service.request('/v1/lines?unknown', { key });
  service.clock.advance(5_000);
  await expect(items.next()).rejects.toMatchObject({ name: 'RateLimitError', code: 'api_key_banned' });
  expect(statuses).toEqual([200, 429]);
});

test.each(['otherEvents', 'lines'] as const)(
  '%s, which cannot be resumed, throw that they are not complete, and the next call the 401',
  async (operation) => {
    const { id, key } = await newKey();
    const library = client(key);
    const items = await library[operation]();
    await items.next();
    if (operation === 'otherEvents') await items.next();
    await loseKey(id);
    await expect(items.next()).rejects.toMatchObject({ name: 'ConnectionError', code: 'connection_failed' });
    await expect(library[operation]()).rejects.toMatchObject({ status: 401 });
    expect(statuses).toEqual([200, 401]);
  },
);
