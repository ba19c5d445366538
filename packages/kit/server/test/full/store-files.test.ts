import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { newFolder, startProcess, until } from '@contract-kit/test-support/testing';
import { bin, command, filesIn, startTestService } from '../library/service.ts';

/** The target of a link, or undefined if the link is gone. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

test.concurrent('a folder with other files is served, such as a fresh volume', async () => {
  const dataDir = newFolder();
  chmodSync(dataDir, 0o777);
  mkdirSync(path.join(dataDir, 'lost+found'), { mode: 0o000 });
  writeFileSync(path.join(dataDir, 'backup.db'), 'kept', { mode: 0o444 });
  const isUnprivileged = command.mayRunUnprivileged();
  const server = await command.serve({ dataDir, isUnprivileged });
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  expect(await server.kill('SIGTERM')).toBe(0);
});

test.concurrent('only the owner may read its files, including backups and older files', async () => {
  const parent = newFolder();
  const dataDir = path.join(parent, 'data');
  const backup = path.join(parent, 'backup.db');
  const server = await command.serve({ dataDir });
  expect((await command.run(['backup', backup], { dataDir })).code).toBe(0);
  const { store, counters, lock, lockHolder } = filesIn(dataDir);
  const kept = [store, `${store}-wal`, `${store}-shm`, counters, lock, lockHolder, backup];
  expect(kept.map(modeOf)).toEqual(kept.map(() => '600'));
  expect(modeOf(dataDir)).toBe('700');
  await server.kill('SIGTERM');
  chmodSync(store, 0o644);
  await (await command.serve({ dataDir })).kill('SIGTERM');
  expect(modeOf(store)).toBe('600');
});

test.concurrent('an import that does not fit into memory uses only DATA_DIR', async () => {
  const dataDir = newFolder();
  const { child, ended } = startProcess(process.execPath, [bin, 'loans', 'import', '-'], {
    env: { DATA_DIR: dataDir },
  });
  const filesOf = (pid: number) =>
    readdirSync(`/proc/${pid}/fd`).map((fd) => targetOf(`/proc/${pid}/fd/${fd}`));
  for (let id = 1; id <= 4_000; id += 1)
    child.stdin?.write(`{"id":${id},"cancelledBy":"${'x'.repeat(10_000)}"}\n`);
  // SQLite from 3.54 opens its temporary files without a name (O_TMPFILE).
  const temporary = () =>
    filesOf(child.pid ?? 0).filter((file) => /(etilqs_\w+|#\d+) \(deleted\)$/.test(file));
  await until(() => temporary().length > 0);
  expect(temporary().every((file) => file.startsWith(dataDir))).toBe(true);
  child.stdin?.end();
  expect(await ended).toBe(0);
  expect(readdirSync(dataDir).filter((name) => name.includes('etilqs'))).toEqual([]);
});

test.concurrent('refuses an empty store instead of treating it as new', async () => {
  const dataDir = newFolder();
  await (await startTestService({ dataDir })).stop();
  truncateSync(filesIn(dataDir).store, 0);
  for (const args of [
    ['serve', '--port', '0'],
    ['loans', 'import', '-'],
  ])
    expect(await command.resultOfRejection(args, { dataDir })).toContain(
      'store.db is empty: it was truncated.',
    );
});

test.concurrent('half a store is refused in one line, and unchanged', async () => {
  const dataDir = newFolder();
  await (await startTestService({ dataDir })).stop();
  const { store } = filesIn(dataDir);
  truncateSync(store, statSync(store).size / 2);
  const before = readFileSync(store);
  for (const args of [
    ['serve', '--port', '0'],
    ['keys', 'list'],
    ['backup', path.join(dataDir, 'backup.db')],
  ])
    expect(await command.resultOfRejection(args, { dataDir })).toContain(
      'it is damaged: restore a backup into a new',
    );
  expect(readFileSync(store).equals(before)).toBe(true);
});

test.concurrent('a log without its store is refused, and never applied to another one', async () => {
  const dataDir = newFolder();
  const server = await command.serve({ dataDir });
  const { store } = filesIn(dataDir);
  const backup = path.join(newFolder(), 'backup.db');
  expect((await command.run(['backup', backup], { dataDir })).code).toBe(0);
  await command.run(['keys', 'create', '--plan', 'free', '--name', 'last'], { dataDir });
  await server.kill('SIGKILL');
  renameSync(store, `${store}.away`);
  for (const args of [
    ['serve', '--port', '0'],
    ['keys', 'create', '--plan', 'free', '--name', 'x'],
    ['restore', backup],
  ])
    expect(await command.resultOfRejection(args, { dataDir })).toContain(
      `${store} is missing, but ${store}-wal is there`,
    );
  renameSync(`${store}.away`, store);
  expect(await command.json(['keys', 'list'], { dataDir })).toHaveLength(1);
});

test.concurrent('a backup and a restore that do not fit on the disk change nothing', async () => {
  const dataDir = newFolder();
  await command.run(['keys', 'create', '--plan', 'free', '--name', 'kept'], { dataDir });
  const backup = path.join(newFolder(), 'backup.db');
  expect((await command.run(['backup', backup], { dataDir })).code).toBe(0);
  const size = statSync(backup).size;
  for (const args of [
    ['backup', `${backup}.second`],
    ['restore', backup, '--yes'],
  ]) {
    // Files are limited to less than a store, as on a full disk.
    const { status, stderr } = spawnSync(
      '/bin/sh',
      ['-c', `ulimit -f ${Math.floor(size / 1_024)}; exec "$0" "$@"`, process.execPath, bin, ...args],
      { env: { DATA_DIR: dataDir }, encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^library: [^\n]+\n$/)]);
  }
  expect(readdirSync(path.dirname(backup))).toEqual(['backup.db', 'backup.db.sha256']);
  expect(await command.json(['keys', 'list'], { dataDir })).toHaveLength(1);
});

test.concurrent('a store that did not fit on a full disk is created when there is space', async () => {
  const dataDir = newFolder();
  const create = ['keys', 'create', '--plan', 'free', '--name', 'first'];
  // Files are limited to one block: as on a full disk, a file can be created but not filled.
  const { status, stderr } = spawnSync(
    '/bin/sh',
    ['-c', 'ulimit -f 1; exec "$0" "$@"', process.execPath, bin, ...create],
    { env: { DATA_DIR: dataDir }, encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([1, expect.stringContaining('or is full\n')]);
  expect(readdirSync(dataDir)).toEqual([]);
  expect((await command.run(create, { dataDir })).code).toBe(0);
});

test.concurrent('a store created by several processes at once has the data of all', async () => {
  const dataDir = newFolder();
  const create = (name: number) =>
    command.run(['keys', 'create', '--plan', 'free', '--name', String(name)], { dataDir });
  const made = await Promise.all([1, 2, 3, 4, 5, 6].map(create));
  expect(made.map(({ stderr }) => stderr)).toEqual(made.map(() => ''));
  expect(await command.json(['keys', 'list'], { dataDir })).toHaveLength(6);
});

test.each([
  ['no database', (file: string) => writeFileSync(file, 'x'.repeat(10_000))],
  ['damaged', (file: string) => writeFileSync(file, Buffer.alloc(8_192, 7), { flag: 'r+' })],
])('renames a counters file that is %s, and starts without it', async (_, damage) => {
  const dataDir = newFolder();
  await (await startTestService({ dataDir })).stop();
  const { counters } = filesIn(dataDir);
  damage(counters);
  const service = await startTestService({ dataDir });
  const key = await service.key();
  expect((await service.list(key)).status).toBe(200);
  expect(service.messages('')).toContainEqual(
    expect.stringMatching(/limits\.db cannot be read: .+; every window restarts, and bans are lifted/),
  );
  expect(existsSync(`${counters}.unreadable`)).toBe(true);
});

describe('files that are removed while they are served', () => {
  const remove = (file: string) => rmSync(file);
  const replace = (file: string) => {
    copyFileSync(file, `${file}.copy`);
    renameSync(`${file}.copy`, file);
  };
  test.each([
    ['the store', '', remove],
    ['the store, by a copy,', '', replace],
    ['its log', '-wal', remove],
    ['its index', '-shm', remove],
    ['its folder', '', (file: string) => rmSync(path.dirname(file), { recursive: true })],
  ])('%s: no lost change is acknowledged, and it is logged once', async (_, suffix, take) => {
    const service = await startTestService();
    const key = await service.key();
    await service.addLoans([{ id: 1 }, { id: 2 }]);
    expect((await service.cancel(1, key)).status).toBe(204);
    take(filesIn(service.dataDir).store + suffix);
    for (let times = 0; times < 3; times += 1) {
      expect((await service.cancel(2, key)).status).toBe(503);
      expect((await service.list(key)).status).toBe(503);
    }
    expect(await service.readiness()).toEqual([
      503,
      'the database: its files were removed or replaced while it was served: restart the service',
    ]);
    expect(service.messages('database lost')).toHaveLength(1);
  });

  test('the counters: requests succeed, and it is logged once that counters are not stored', async () => {
    const service = await startTestService();
    const key = await service.key('free');
    remove(filesIn(service.dataDir).counters);
    const messages = () => service.logged.filter(({ msg }) => msg === 'counters could not be stored');
    // The last one leads to a ban, which is written at once.
    for (let count = 0; count < 120; count += 1) await service.list(key);
    await until(() => messages().length > 0);
    expect(JSON.stringify(messages()[0])).toContain('its files were removed or replaced');
    await service.stop();
    expect(messages()).toHaveLength(1);
  });
});
