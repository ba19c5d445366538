import { describeWith } from '@contract-kit/test-support';
import type { KeyRecord, KeyStore } from '../src/keys/key-store.ts';
import { openPostgresStore, openSqliteStore } from './library/service.ts';
import { newFolder, shared, startPostgres } from '@contract-kit/test-support/testing';

interface OpenKeyStore {
  readonly keys: KeyStore;
  close(): Promise<void>;
}

const AT = new Date('2026-11-21T12:00:00.000Z');

/** Tests every database engine that stores keys. `open` opens an empty store. */
function describeKeyStore(engine: string, open: () => Promise<OpenKeyStore>): void {
  describe(`keys in ${engine}`, () => {
    let store: OpenKeyStore;
    let keys: KeyStore;

    beforeEach(async () => {
      store = await open();
      keys = store.keys;
      const quota = { perMinute: 60, perDay: 1000 };
      await keys.insert({ id: 'key_1', digest: 'd1', name: 'one', plan: 'free', quota, createdAt: AT });
    });

    afterEach(() => store.close());

    const record = { id: 'key_1', plan: 'free', quota: { perMinute: 60, perDay: 1000 }, banEpoch: 0 };
    const active = { ...record, owner: 'key_1' };
    const at = AT.toISOString();

    test('a key is found by its digest until it is revoked', async () => {
      expect(await keys.findActive(['d1', 'none'])).toEqual(new Map([['d1', active]]));
      expect(await keys.unban('key_1')).toBe(true);
      await keys.markUsed(['key_1', 'key_2'], AT);
      expect(await keys.revoke('key_1', AT)).toBe(true);
      expect(await keys.revoke('key_1', new Date())).toBe(true);
      expect(await keys.findActive(['d1'])).toEqual(new Map());
      expect(await keys.list()).toEqual([
        { ...record, banEpoch: 1, name: 'one', createdAt: at, lastUsedAt: at, revokedAt: at },
      ]);
    });

    test('settings are changed as a whole and with the audit log, unless others came first', async () => {
      const [record] = await keys.list();
      const before = record as KeyRecord;
      const event = {
        at,
        action: 'changed',
        keyId: 'key_1',
        actor: 'ada',
        changes: 'plan free → own',
      } as const;
      const after = { name: 'two', plan: 'own', quota: { perMinute: 7, perDay: 70 }, scopes: ['a', 'b'] };
      expect(await keys.change('key_1', before, after, event)).toBe(true);
      expect(await keys.list()).toEqual([{ ...before, ...after }]);
      expect((await keys.findActive(['d1'])).get('d1')).toMatchObject({
        plan: 'own',
        quota: after.quota,
        scopes: ['a', 'b'],
      });
      expect(await keys.change('key_1', before, { ...after, plan: 'pro' }, event)).toBe(false);
      expect(await keys.change('key_2', before, after, event)).toBe(false);
      await keys.revoke('key_1', AT);
      expect(await keys.change('key_1', after, before, event)).toBe(false);
      expect(await keys.list()).toEqual([{ ...before, ...after, revokedAt: at }]);
      expect(await keys.listAudit()).toEqual([event]);
    });

    test('a key keeps its owner, which an operator may change', async () => {
      const quota = { perMinute: 60, perDay: 1000 };
      const other = { id: 'key_2', digest: 'd2', name: 'two', owner: 'shop-1', plan: 'free', quota };
      await keys.insert({ ...other, createdAt: AT });
      expect((await keys.findActive(['d2'])).get('d2')).toMatchObject({ owner: 'shop-1' });
      const [, before] = (await keys.list()) as [KeyRecord, KeyRecord];
      expect(before).toMatchObject({ owner: 'shop-1' });
      const event = { at, action: 'changed', keyId: 'key_2', actor: 'ada' } as const;
      expect(await keys.change('key_2', before, { ...before, owner: 'shop-2' }, event)).toBe(true);
      expect(await keys.change('key_2', before, { ...before, owner: 'shop-3' }, event)).toBe(false);
      expect((await keys.findActive(['d2'])).get('d2')).toMatchObject({ owner: 'shop-2' });
    });

    test('an unknown key can neither be revoked nor unbanned', async () => {
      expect(await keys.revoke('key_2', AT)).toBe(false);
      expect(await keys.unban('key_2')).toBe(false);
    });

    test('marks a key as used once a minute, by all instances together', async () => {
      const lastUse = async () => (await keys.list())[0]?.lastUsedAt;
      const noted = async (seconds: number) => {
        await keys.markUsed(['key_1'], new Date(AT.getTime() + seconds * 1_000));
        return lastUse();
      };
      expect(await noted(0)).toBe(at);
      expect(await noted(1)).toBe(at);
      expect(await noted(59)).toBe(at);
      expect(await noted(60)).toBe('2026-11-21T12:01:00.000Z');
      expect(await noted(30)).toBe('2026-11-21T12:01:00.000Z');
    });
  });
}

describeKeyStore('SQLite', () => openSqliteStore(newFolder()));

describeWith(['PostgreSQL'], 'with PostgreSQL', () => {
  const postgres = shared(startPostgres);
  const open = async (url?: string) => openPostgresStore({ url: url ?? (await postgres.createDatabase()) });

  describeKeyStore('PostgreSQL', open);

  test('marking keys as used waits for no other instance, so that no deadlock is possible', async () => {
    const url = await postgres.createDatabase();
    const store = await open(url);
    const quota = { perMinute: 60, perDay: 1000 };
    for (const id of ['key_1', 'key_2'])
      await store.keys.insert({ id, digest: id, name: id, plan: 'free', quota, createdAt: AT });
    const at = AT.toISOString();
    const release = await postgres.hold(url, `UPDATE api_keys SET last_used_at = '${at}' WHERE id = 'key_1'`);
    const later = new Date(AT.getTime() + 1_000);
    await store.keys.markUsed(['key_2', 'key_1'], later);
    await release();
    expect((await store.keys.list()).map(({ lastUsedAt }) => lastUsedAt)).toEqual([at, later.toISOString()]);
    await store.close();
  });
});
