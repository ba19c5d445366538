import { execFileSync } from 'node:child_process';
import {
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { openSqlite } from '../../src/database/sqlite/driver.ts';
import { newFolder, until } from '@contract-kit/test-support/testing';
import { importItems } from '@contract-kit/test-support/testing';
import {
  command,
  filesIn,
  numbered,
  startTestService,
  storedLoans,
  type TestService,
  withStore,
} from '../library/service.ts';

const COUNT = 20_000;
let service: TestService;
let key: string;
let file: string;

beforeEach(async () => {
  service = await startTestService();
  key = await service.unlimitedKey();
  file = path.join(newFolder(), 'store.backup');
});
const succeed = (...args: string[]) => command.json<unknown>(args, { dataDir: service.dataDir });

async function expectRefusal(args: string[], reason: string): Promise<void> {
  expect(await command.resultOfRejection(args, { dataDir: service.dataDir })).toContain(reason);
}

const cancel = (id: number) => service.cancel(id, key);
const list = (by = key) => service.list(by);

/** Whether each loan in the store is cancelled, by id. */
const cancelsIn = (dataDir: string) =>
  withStore(dataDir, async ({ features: { loans } }) =>
    (await storedLoans(loans)).map(({ cancelledBy }) => cancelledBy !== undefined),
  );

test('a backup during cancels is a complete snapshot, and no cancel waits for it', async () => {
  await service.addLoans(numbered(COUNT));
  let underway = true;
  const backingUp = succeed('backup', file).finally(() => (underway = false));
  let cancelled = 0;
  while (underway) {
    cancelled += 1;
    expect((await cancel(cancelled)).status).toBe(204);
  }
  expect(await backingUp).toEqual({
    file,
    contains: { api_keys: 1, audit: expect.any(Number) as number, idempotency_keys: 0, loans: COUNT },
  });
  const name = path.basename(file);
  expect(readdirSync(path.dirname(file))).toEqual([name, `${name}.sha256`]);

  const elsewhere = newFolder();
  expect((await command.run(['restore', file], { dataDir: elsewhere })).code).toBe(0);
  const cancels = await cancelsIn(elsewhere);
  const before = cancels.indexOf(false);
  expect(cancels).toHaveLength(COUNT);
  expect(cancels.slice(before).every((isCancelled) => !isCancelled)).toBe(true);
  expect(before).toBeLessThanOrEqual(cancelled);
});

test('backup replaces an existing file, or the target of a link, only with --force, and never a file of the store', async () => {
  writeFileSync(file, 'precious');
  await expectRefusal(['backup', file], 'already exists');
  expect(readFileSync(file, 'utf8')).toBe('precious');
  await succeed('backup', file, '--force');
  expect(statSync(file).size).toBeGreaterThan(4_096);
  for (const own of Object.values(filesIn(service.dataDir)))
    await expectRefusal(['backup', own, '--force'], 'is a file of the store');
  await expectRefusal(['backup', path.join(service.dataDir, 'none', 'b')], 'the folder does not exist');
  await expectRefusal(['backup', service.dataDir, '--force'], 'is a folder');
  const link = path.join(path.dirname(file), 'latest');
  symlinkSync(file, link);
  await succeed('backup', '--force', link);
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect((await list()).status).toBe(200);
});

/** Stops the service, restores `from` and starts it again. Resolves to the command's output. */
async function restoreFrom(from: string): Promise<unknown> {
  await service.stop();
  const printed = await succeed('restore', from);
  service = await startTestService({ dataDir: service.dataDir, clock: service.clock });
  return printed;
}

test('a restore brings back every column', async () => {
  await service.addLoans([{ id: 1, bookId: 7, days: 0, returned: false }, { id: 2 }, { id: 3 }]);
  await cancel(2);
  const { key: used, id } = await service.keyWithId('pro');
  const before = await (await list()).json();
  await succeed('backup', file);
  await cancel(1);
  await succeed('keys', 'change', id, '--plan', 'free', '--owner', 'shop-2');
  await service.addLoans([{ id: 9 }]);
  const { key: younger } = await service.keyWithId();

  expect(await restoreFrom(file)).toEqual({
    restored: { api_keys: 2, audit: expect.any(Number) as number, idempotency_keys: 0, loans: 3 },
  });
  expect(await (await list()).json()).toEqual(before);
  expect((await list(used)).headers.get('x-ratelimit-limit')).toBe('300');
  expect(await succeed('keys', 'show', id)).not.toHaveProperty('owner');
  expect(await cancelsIn(service.dataDir)).toEqual([false, true, false]);
  expect((await list(younger)).status).toBe(401);
  expect((await cancel(1)).status).toBe(204);
});

test('a restore revives no revoked key, undoes no unban and reuses no id', async () => {
  const revoked = await service.keyWithId();
  const banned = await service.keyWithId('enterprise', { perMinute: 1, perDay: 100 });
  await succeed('backup', file);
  await service.store.keys.revoke(revoked.id, new Date());
  await service.addLoans([{ id: 41 }]);
  await service.store.keys.unban(banned.id);
  await restoreFrom(file);
  expect((await list(revoked.key)).status).toBe(401);
  const ban = async () => {
    for (let request = 0; request < 3; request += 1) await list(banned.key);
    return (await list(banned.key)).json();
  };
  expect(await ban()).toMatchObject({ code: 'api_key_banned' });
  await service.store.keys.unban(banned.id);
  service.clock.advance(60_000);
  expect((await list(banned.key)).status).toBe(200);
  await service.addLoans([{ bookId: 1 }]);
  expect(await (await list()).json()).toEqual([{ id: 42, bookId: 1 }]);
});

test('a command waits for another process that writes to a restored store', async () => {
  await succeed('backup', file);
  const dataDir = newFolder();
  await command.json(['restore', file], { dataDir });
  const writer = openSqlite(filesIn(dataDir).store);
  writer.exec('BEGIN IMMEDIATE');
  const listing = command.json(['keys', 'list'], { dataDir });
  // Enough for the command to reach the lock on an idle machine; on a busy one it comes later and passes too.
  setTimeout(() => writer.exec('COMMIT'), 1_500);
  expect(await listing).toHaveLength(1);
  writer.close();
});

test('restore rejects a store that is being served, which keeps working', async () => {
  await service.addLoans([{ id: 1 }]);
  await succeed('backup', file);
  await cancel(1);
  await expectRefusal(['restore', file], 'is already served by process');
  await expectRefusal(['restore', file], 'stop it, restore, and start it again; the store is unchanged');
  expect(await cancelsIn(service.dataDir)).toEqual([true]);
  expect((await list()).status).toBe(200);
});

test('restore rejects a store that a command is using', async () => {
  await succeed('backup', file);
  await service.stop();
  await withStore(service.dataDir, async ({ features: { loans } }) => {
    await expectRefusal(['restore', file], 'another process has locked the database');
    await importItems(loans, [{ id: 1 }]);
  });
  expect(await cancelsIn(service.dataDir)).toEqual([false]);
});

test('a killed restore leaves the old store or the new one, and the next start removes its files', async () => {
  await service.addLoans(numbered(COUNT));
  await succeed('backup', file);
  await cancel(1);
  await service.stop();
  const isUnderway = () => existsSync(filesIn(service.dataDir).restored);
  const stop = { signal: 'SIGKILL', when: isUnderway } as const;
  // On a busy machine one may end before it is killed.
  while ((await command.run(['restore', file], { dataDir: service.dataDir, stop })).code !== null);
  const cancels = await cancelsIn(service.dataDir);
  expect(cancels).toHaveLength(COUNT);
  expect(new Set(cancels.slice(1))).toEqual(new Set([false]));
  expect(isUnderway()).toBe(true);
  await startTestService({ dataDir: service.dataDir });
  expect(isUnderway()).toBe(false);
});

test('a killed backup leaves the one before, or is complete, and a folder that may be removed', async () => {
  await service.addLoans(numbered(COUNT));
  await succeed('backup', file);
  await cancel(1);
  const leftIn = () => readdirSync(path.dirname(file)).filter((name) => name.includes('.partial-'));
  const stop = { signal: 'SIGKILL', when: () => leftIn().length > 0 } as const;
  while ((await command.run(['backup', '--force', file], { dataDir: service.dataDir, stop })).code !== null);
  const elsewhere = newFolder();
  expect((await command.run(['restore', file], { dataDir: elsewhere })).code).toBe(0);
  expect(await cancelsIn(elsewhere)).toHaveLength(COUNT);
  expect(leftIn()).toHaveLength(1);
  expect((await cancel(2)).status).toBe(204);
});

test('a backup is complete although its service is killed meanwhile', async () => {
  await service.stop();
  const { dataDir } = service;
  await withStore(dataDir, ({ features: { loans } }) => importItems(loans, numbered(COUNT)));
  const server = await command.serve({ dataDir });
  const folder = path.dirname(file);
  const backingUp = command.json<unknown>(['backup', file], { dataDir });
  await until(() => readdirSync(folder).length > 0);
  await server.kill('SIGKILL');
  expect(await backingUp).toMatchObject({ contains: { loans: COUNT } });
  const elsewhere = newFolder();
  expect((await command.run(['restore', file], { dataDir: elsewhere })).code).toBe(0);
  expect(await cancelsIn(elsewhere)).toHaveLength(COUNT);
});

describe('a checksum', () => {
  beforeEach(async () => {
    await service.addLoans([{ id: 1, bookId: 7, dueDate: '2026-01-21T00:00:00.000Z', cancelledBy: 'key_1' }]);
    await succeed('backup', file);
    await service.stop();
  });

  /** Replaces `from`, which the backup contains once, by `to`. */
  function damage(from: string, to: string): void {
    const content = readFileSync(file);
    const at = content.indexOf(from);
    expect(at).toBeGreaterThan(0);
    content.write(to, at);
    writeFileSync(file, content);
  }

  test('is next to a backup, in the format of sha256sum', () => {
    execFileSync('sha256sum', ['-c', `${path.basename(file)}.sha256`], { cwd: path.dirname(file) });
  });

  test('finds one flipped bit, and the message gives advice about backups', async () => {
    damage('2026-01-21', '2026-01-20');
    await expectRefusal(
      ['restore', file],
      `cannot restore ${file}: it is damaged or incomplete (it does not match ${file}.sha256). Restore another backup; the store is unchanged`,
    );
  });

  test('is missing, and rows that break the schema are rejected', async () => {
    rmSync(`${file}.sha256`);
    damage('000Zkey_', '000ZKey_');
    await expectRefusal(['restore', file], 'it is damaged or incomplete (CHECK constraint failed');
    expect(await cancelsIn(service.dataDir)).toEqual([true]);
  });

  test('is missing, and a valid backup is restored with a warning', async () => {
    rmSync(`${file}.sha256`);
    const { code, stderr } = await command.run(['restore', file], { dataDir: service.dataDir });
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^library: \S+ has no store\.backup\.sha256: [^\n]+\n$/),
    ]);
  });
});

test('rejects damaged, newer, foreign and missing files, and leaves the store unchanged', async () => {
  await service.addLoans(numbered(5_000));
  await succeed('backup', file);
  await cancel(1);
  const copy = (name: string) => {
    const to = path.join(path.dirname(file), name);
    copyFileSync(file, to);
    return to;
  };
  const damaged = copy('damaged');
  writeSync(openSync(damaged, 'r+'), Buffer.alloc(20_000, 0x55), 0, 20_000, 40_960);
  const cutOff = copy('cut-off');
  truncateSync(cutOff, statSync(cutOff).size - 4_096);
  const newer = copy('newer');
  const database = openSqlite(newer);
  database.exec('UPDATE service_schema SET version = 99');
  database.close();
  const foreign = path.join(path.dirname(file), 'foreign');
  const shop = openSqlite(foreign);
  shop.exec('CREATE TABLE customers (id INTEGER PRIMARY KEY)');
  shop.close();
  const text = path.join(path.dirname(file), 'text');
  writeFileSync(text, 'this is no database, but it is long enough to be one'.repeat(99));

  await service.stop();
  await expectRefusal(['restore', damaged], 'is damaged');
  await expectRefusal(['restore', cutOff], 'it is damaged or incomplete');
  await expectRefusal(['restore', newer], 'newer than this program');
  await expectRefusal(['restore', foreign], 'is another kind of database');
  await expectRefusal(['restore', text], 'it is damaged or incomplete (file is not a database)');
  await expectRefusal(['restore', `${file}.none`], 'the file does not exist');
  await expectRefusal(['restore', filesIn(service.dataDir).store], 'is a file of the store');
  expect((await cancelsIn(service.dataDir)).slice(0, 2)).toEqual([true, false]);
  expect(existsSync(filesIn(service.dataDir).restored)).toBe(false);
});

// Only root may give a folder to another user, who must be able to run Node.js: not one in the home folder of root.
(process.getuid?.() === 0 && command.mayRunUnprivileged() ? test : test.skip)(
  'a store that root restores or makes can be served by the owner of its folder',
  async () => {
    await service.addLoans([{ id: 1 }]);
    await succeed('backup', file);
    for (const args of [
      ['restore', file],
      ['keys', 'create', '--plan', 'pro', '--name', 'a'],
    ]) {
      const dataDir = newFolder();
      chownSync(dataDir, 65_534, 65_534);
      expect((await command.run(args, { dataDir })).code).toBe(0);
      const server = await command.serve({ dataDir, isUnprivileged: true });
      expect(await server.kill('SIGTERM')).toBe(0);
    }
  },
);

test('with PostgreSQL, both commands name its tools', async () => {
  const env = { DATABASE_URL: 'postgresql://me:secret@127.0.0.1:1/shop' };
  for (const [name = '', tool] of [
    ['backup', 'pg_dump'],
    ['restore', 'pg_restore'],
  ]) {
    const refusal = await command.resultOfRejection([name, file], { dataDir: service.dataDir, env });
    expect(refusal).toContain(tool);
    expect(refusal).not.toContain('secret');
  }
});
