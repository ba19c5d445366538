import { crc32 } from 'node:zlib';
import { digestOf } from '../src/keys/api-key.ts';
import { createApiKeyCache } from '../src/keys/api-key-cache.ts';
import { newFolder } from '@contract-kit/test-support/testing';
import { createClock } from '../src/testing/service.ts';
import { createKey, generateApiKey, keyFormat, openSqliteStore } from './library/service.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('a key is lib_, 32 random base62 characters, and their CRC-32 in 6, highest digit first', () => {
  const keys = Array.from({ length: 200 }, generateApiKey);
  expect(new Set(keys).size).toBe(200);
  for (const key of keys) {
    expect(key).toMatch(/^lib_[0-9A-Za-z]{38}$/);
    const checksum = [...key.slice(36)].reduce((sum, digit) => sum * 62 + DIGITS.indexOf(digit), 0);
    expect(checksum).toBe(crc32(key.slice(4, 36)));
  }
});

test('the digest is SHA-256', () => {
  expect(digestOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('a key in a text is hidden in any case, and however often it is percent-encoded', () => {
  const key = generateApiKey();
  const encode = (text: string) =>
    text.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`);
  const twice = encode(encode(key));
  const spellings = [
    key,
    key.toUpperCase(),
    key.replace('_', '%5F'),
    key.replace('l', '%25256c'),
    encode(key),
    twice,
  ];
  for (const spelling of spellings) expect(keyFormat.redact(`/a/${spelling}/%41`)).toBe('/a/lib_…/A');
  // Encoded so often that only the whole can be hidden.
  const often = Array.from({ length: 6 }).reduce<string>(encode, 'lib_a');
  expect(keyFormat.redact(often)).toBe('…');
  expect(keyFormat.redact('/a/%41%zz/lib-x')).toBe('/a/%41%zz/lib-x');
});

/** The cache on a real store, with a count of its lookups. `markUsed` of the store fails the `failing`th time. */
async function openRing({ failing = 0 } = {}) {
  const clock = createClock();
  const monotonic = createClock(1);
  const store = await openSqliteStore(newFolder());
  const { keys } = store;
  let asked = 0;
  const failures: unknown[] = [];
  const touched: { ids: readonly string[]; at: number }[] = [];
  const ring = createApiKeyCache({
    format: keyFormat,
    keys: {
      ...keys,
      findActive(digests) {
        asked += 1;
        return keys.findActive(digests);
      },
      markUsed(ids, at) {
        touched.push({ ids, at: at.getTime() });
        if (touched.length === failing) throw new Error('the database is gone for a moment');
        return keys.markUsed(ids, at);
      },
    },
    now: clock,
    monotonic,
    onError: (error) => failures.push(error),
  });
  const { id, key } = await createKey(keys, { name: 'test', plan: 'free', now: new Date(clock()) });
  async function close() {
    await ring.close();
    await store.close();
    expect(failures).toHaveLength(Math.sign(failing));
  }
  return { ring, clock, monotonic, keys, id, key, asked: () => asked, touched, failures, close };
}

test('concurrent requests look up a key once in five seconds', async () => {
  const { ring, monotonic, id, key, close, asked } = await openRing();
  const found = await Promise.all(Array.from({ length: 50 }, async () => await ring.find(key)));
  expect(found.every((key) => key?.id === id)).toBe(true);
  monotonic.advance(4_000);
  await ring.find(key);
  expect(asked()).toBe(1);
  monotonic.advance(1_000);
  await ring.find(key);
  expect(asked()).toBe(2);
  await close();
});

test('a clock that steps back does not revive a revoked key', async () => {
  const { ring, clock, monotonic, keys, id, key, close } = await openRing();
  await ring.find(key);
  await keys.revoke(id, new Date(clock()));
  clock.advance(-60 * 60_000);
  monotonic.advance(5_000);
  expect(await ring.find(key)).toBeUndefined();
  await close();
});

test('malformed keys never reach the store, and an unknown key is looked up once', async () => {
  const { ring, key, close, asked } = await openRing();
  const slips = [...key].map((one, at) => key.slice(0, at) + (one === 'x' ? 'y' : 'x') + key.slice(at + 1));
  const near = [`${key} `, ` ${key}`, `${key}\n`, key + key, key.slice(4), key.slice(0, -1)];
  for (const junk of [...slips, ...near, '', 'lib_', '\u0131'.repeat(42), 'x'.repeat(100_000)])
    expect(await ring.find(junk)).toBeUndefined();
  expect(asked()).toBe(0);
  const unknown = generateApiKey();
  for (let index = 0; index < 3; index += 1) expect(await ring.find(unknown)).toBeUndefined();
  expect(asked()).toBe(1);
  await close();
});

test('keys that must be looked up at once are, by one statement at a time, and a failure does not end that', async () => {
  const { ring, keys, id, key, close, asked } = await openRing();
  const find = async (token: string) => (await ring.find(token))?.id;
  const first = find(generateApiKey());
  await Promise.resolve();
  const others = Array.from({ length: 900 }, () => find(generateApiKey()));
  const found = find(key);
  expect(new Set(await Promise.all([first, ...others]))).toEqual(new Set([undefined]));
  expect(await found).toBe(id);
  expect(asked()).toBeLessThanOrEqual(2);
  jest.spyOn(keys, 'findActive').mockRejectedValueOnce(new Error('the database is gone for a moment'));
  await expect(find(generateApiKey())).rejects.toThrow('gone for a moment');
  expect(await find(generateApiKey())).toBeUndefined();
  await close();
});

test('a flood of unknown keys does not push a valid one out', async () => {
  const { ring, id, key, close, asked } = await openRing();
  await ring.find(key);
  for (let index = 0; index < 21_000; index += 1) await ring.find(generateApiKey());
  const before = asked();
  expect((await ring.find(key))?.id).toBe(id);
  expect(asked()).toBe(before);
  await close();
});

afterEach(() => {
  jest.useRealTimers();
});

const SECOND = 1_000;

test('marks a key as used at most once a minute, outside the request', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick'] });
  const { ring, clock, keys, id, key, touched, close } = await openRing();
  const pass = async (milliseconds: number) => {
    clock.advance(milliseconds);
    await jest.advanceTimersByTimeAsync(milliseconds);
  };
  for (let second = 0; second < 59; second += 1) {
    for (let use = 0; use < 10; use += 1) expect((await ring.find(key))?.id).toBe(id);
    await pass(SECOND);
  }
  expect(touched).toEqual([]);
  await pass(SECOND);
  expect(touched).toEqual([{ ids: [id], at: clock() }]);
  const at = new Date(clock()).toISOString();
  // Writes are committed in their order.
  await keys.unban('key_of_nobody');
  expect(await keys.list()).toMatchObject([{ id, lastUsedAt: at }]);

  // Unused for two minutes: nothing to write.
  await pass(120 * SECOND);
  expect(touched).toHaveLength(1);
  await ring.find(key);
  await pass(60 * SECOND);
  expect(touched).toHaveLength(2);
  await close();
});

test('marks used keys together when it closes, and loses none if that fails once', async () => {
  const { ring, clock, keys, key, touched, failures, close } = await openRing({ failing: 1 });
  const other = await createKey(keys, { name: 'other', plan: 'free', now: new Date(clock()) });
  for (const item of [key, other.key]) await ring.find(item);
  const used = async () => (await keys.list()).filter(({ lastUsedAt }) => lastUsedAt).length;
  await ring.find(generateApiKey());
  await ring.close();
  expect([failures.length, await used()]).toEqual([1, 0]);
  await ring.close();
  expect([failures.length, await used()]).toEqual([1, 2]);
  expect(touched).toHaveLength(2);
  await close();
});
