import path from 'node:path';
import { describeWith } from '@contract-kit/test-support';
import { newFolder, shared, startPostgres, startRelay, until } from '@contract-kit/test-support/testing';
import { releaseFiles } from '../../src/database/sqlite/driver.ts';
import { backUp } from '../../src/store/transfer/backup.ts';
import { restore } from '../../src/store/transfer/restore.ts';
import { dumpOf, restoreDump } from '../support/dump.ts';
import { change, follow, isExpired, start, withTopics } from '../support/feed.ts';

describeWith(['PostgreSQL'], 'the feed in PostgreSQL', () => {
  const postgres = shared(startPostgres);

  test('readers on two instances get the same entries in the same order, over an outage of one', async () => {
    const url = new URL(await postgres.createDatabase());
    const env = { DATABASE_URL: url.href };
    const relay = await startRelay(postgres.port);
    url.port = String(relay.port);
    const [one, other] = [await start({ env }), await start({ env: { DATABASE_URL: url.href } })];
    const readers = [follow(one), follow(other), follow(other)];
    const append = async (from: number) => {
      const loans = Array.from({ length: 50 }, (_, at) => from + at);
      await Promise.all(loans.map((loan) => one.feed.append('changes', change(loan))));
    };
    await append(0);
    await until(() => readers.every(({ seen }) => seen.length === 50));
    relay.goAway();
    await append(100);
    await until(() => readers[0]?.seen.length === 100);
    relay.comeBack();
    await until(() => readers.every(({ seen }) => seen.length === 100));
    const [first, ...others] = readers.map(({ seen }) => seen.map(({ loan }) => loan));
    expect(new Set(first).size).toBe(100);
    for (const seen of others) expect(seen).toEqual(first);
    await Promise.all([one.stop(), other.stop()]);
  });

  test('a long transaction in another topic or database holds nobody', async () => {
    const service = await start({ env: { DATABASE_URL: await postgres.createDatabase() } });
    const elsewhere = await postgres.createDatabase();
    await postgres.run('CREATE TABLE busy (id int)', elsewhere);
    const release = await postgres.hold(elsewhere, 'INSERT INTO busy VALUES (1)');
    let commit = () => {};
    const slow = service.transaction(async ({ feed }) => {
      await feed.append('notes', 'slow');
      await new Promise<void>((resolve) => (commit = resolve));
    });
    const reader = follow(service);
    await service.feed.append('changes', change(1));
    await until(() => reader.seen.length === 1);
    commit();
    await slow;
    await release();
    await service.stop();
  });

  test('cursors of before have expired in a restored dump, and go on where it was made', async () => {
    const url = await postgres.createDatabase();
    const service = await start({ env: { DATABASE_URL: url } });
    await service.feed.append('changes', change(1));
    const cursor = await service.feed.end('changes');
    const dump = await dumpOf(url);
    await service.stop();
    const copied = await postgres.createDatabase();
    await restoreDump(dump, copied);
    const [same, copy] = [
      await start({ env: { DATABASE_URL: url } }),
      await start({ env: { DATABASE_URL: copied } }),
    ];
    expect([await isExpired(same, cursor), await isExpired(copy, cursor)]).toEqual([false, true]);
    const reader = follow(copy);
    await copy.feed.append('changes', change(2));
    await until(() => reader.seen.length === 2);
    await Promise.all([same.stop(), copy.stop()]);
  });
});

test('cursors of before have expired in a restored store', async () => {
  const [dataDir, file] = [newFolder(), path.join(newFolder(), 'backup.db')];
  const service = await start({ dataDir });
  await service.feed.append('changes', change(1));
  const cursor = await service.feed.end('changes');
  await service.stop();
  const options = { service: withTopics, dataDir, file, progress: { start() {}, update() {} } };
  await backUp({ ...options, force: false });
  await releaseFiles();
  await restore({ ...options, onWarning: () => undefined });
  const restored = await start({ dataDir });
  expect(await isExpired(restored, cursor)).toBe(true);
  const reader = follow(restored);
  await restored.feed.append('changes', change(2));
  await until(() => reader.seen.length === 2);
  await restored.stop();
});
