import path from 'node:path';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { filesIn } from '../src/data-dir.ts';
import { petstore } from './support/command.ts';
import { newFolder } from './support/folder.ts';
import { scaled } from './support/scale.ts';
import { startTestService } from './support/service.ts';
import { numbered, storedOrders, withStore } from './support/store.ts';

/* What an import promises to those who read and write the embedded store meanwhile. */

const COUNT = scaled({ usually: 60_000, full: 600_000 });

function writeOrders(first: number): string {
  const file = path.join(newFolder(), 'orders.ndjson');
  const lines = numbered(COUNT).map(({ id }) => `{"id":${first + id},"petId":${id % 7}}`);
  writeFileSync(file, lines.join('\n'));
  return file;
}

test('a list beside an import shows nothing of it or all, and a cancel is made or is 503 with Retry-After', async () => {
  const service = await startTestService();
  const { dataDir } = service;
  const key = await service.unlimitedKey();
  await service.addOrders(numbered(1_000));
  let isDone = false;
  const importing = petstore(['orders', 'import', writeOrders(1_000)], { dataDir }).finally(
    () => (isDone = true),
  );
  const counts = new Set<number>();
  for (let id = 1; !isDone; id = (id % 1_000) + 1) {
    counts.add(((await (await service.list(key)).json()) as unknown[]).length);
    const cancelled = await service.cancel(id, key);
    expect([204, 503]).toContain(cancelled.status);
    if (cancelled.status === 503) expect(cancelled.headers.has('retry-after')).toBe(true);
  }
  expect((await importing).code).toBe(0);
  counts.add(((await (await service.list(key)).json()) as unknown[]).length);
  expect([...counts].sort((a, b) => a - b)).toEqual([1_000, 1_000 + COUNT]);
});

test('an import that is killed while its rows go in leaves all of it or nothing, and no file', async () => {
  const dataDir = newFolder();
  await withStore(dataDir, ({ orders }) => orders.revision());
  const log = `${filesIn(dataDir).store}-wal`;
  // What is staged is elsewhere: the log grows once the rows go in.
  const isGoingIn = () => (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 100_000;
  const stop = { signal: 'SIGKILL', when: isGoingIn } as const;
  await petstore(['orders', 'import', writeOrders(0)], { dataDir, stop });
  const { length } = await withStore(dataDir, ({ orders }) => storedOrders(orders));
  expect([0, COUNT]).toContain(length);
  expect(readdirSync(dataDir)).toEqual([path.basename(filesIn(dataDir).store)]);
});
