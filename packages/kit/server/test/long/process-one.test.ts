import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describeWith } from '@contract-kit/test-support';
import { newFolder, shared, startPostgres } from '@contract-kit/test-support/testing';
import { importItems } from '@contract-kit/test-support/testing';
import { command, filesIn, numbered, storedLoans, withStore } from '../library/service.ts';

/* A container runs a command as process 1, for which the kernel ignores signals without a handler. */

describeWith(['unshare'], 'as process 1', () => {
  const isInit = true;
  let dataDir: string;
  beforeEach(() => {
    dataDir = newFolder();
  });

  const stored = async (folder = dataDir) =>
    withStore(folder, async ({ features: { loans } }) => (await storedLoans(loans)).length);
  const fill = (count: number) =>
    withStore(dataDir, ({ features: { loans } }) => importItems(loans, numbered(count)));
  /** Runs a command until one is interrupted at its work: on a busy machine one may have done it when the signal arrives. */
  async function interrupted(run: () => ReturnType<typeof command.run>) {
    let result = await run();
    while (result.code === 0 || result.stderr === '') result = await run();
    return result;
  }
  const signals = [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const;

  test.each(signals)('an import that %s interrupts imports nothing, as it says', async (signal, exitCode) => {
    // When the write-ahead log exists, the store is open and signals are handled.
    const stop = { signal, when: () => existsSync(`${filesIn(dataDir).store}-wal`) };
    const input = '{"id":1}\n{"id":2}\n';
    const { code, stderr } = await command.run(['loans', 'import', '-'], { dataDir, isInit, input, stop });
    expect([code, stderr]).toEqual([exitCode, 'library: interrupted; nothing was imported\n']);
    expect(await stored()).toBe(0);
  });

  test.each(signals)('a backup that %s interrupts leaves none', async (signal, exitCode) => {
    await fill(30_000);
    const folder = newFolder();
    const file = path.join(folder, 'store.backup');
    const isUnderway = () => readdirSync(folder).some((name) => name.includes('.partial-'));
    const run = () =>
      command.run(['backup', '--force', file], { dataDir, isInit, stop: { signal, when: isUnderway } });
    const result = await interrupted(run);
    expect([result.code, result.stderr]).toEqual([exitCode, 'library: interrupted; no backup was made\n']);
  });

  test.each(signals)(
    'a restore that %s interrupts leaves the old store or the new one',
    async (signal, exitCode) => {
      await fill(30_000);
      const file = path.join(newFolder(), 'store.backup');
      expect((await command.run(['backup', file], { dataDir })).code).toBe(0);
      const other = newFolder();
      const stop = { signal, when: () => existsSync(filesIn(other).restored) };
      const run = () => command.run(['restore', '--yes', file], { dataDir: other, isInit, stop });
      const result = await interrupted(run);
      expect([result.code, result.stderr]).toEqual([
        exitCode,
        'library: interrupted; the store is either unchanged or has all of the backup\n',
      ]);
      expect([0, 30_000]).toContain(await stored(other));
    },
  );

  test('a server stops on SIGTERM and SIGINT, and finishes as elsewhere', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const server = await command.serve({ dataDir, isInit });
      expect(await server.kill(signal)).toBe(0);
      expect(server.output.stdout).toContain(`"signal":"${signal}"`);
      expect(server.output.stdout).toContain('"stopped"');
    }
  });
});

describeWith(['unshare', 'PostgreSQL'], 'as process 1, with PostgreSQL', () => {
  const postgres = shared(() => startPostgres());
  let url: string;
  let dataDir: string;
  beforeEach(async () => {
    url = await postgres.createDatabase();
    dataDir = newFolder();
    // It makes the tables.
    await command.json(['keys', 'list'], { dataDir, env: { DATABASE_URL: url } });
  });

  /** Interrupts a command that waits for a locked table. */
  async function interrupt(args: readonly string[], table: string) {
    const release = await postgres.hold(url, `LOCK TABLE ${table}`);
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    const when = async () => (await postgres.run(waiting, url)).length > 0;
    const stop = { signal: 'SIGTERM', when } as const;
    const { code, stderr } = await command.run(args, {
      dataDir,
      env: { DATABASE_URL: url },
      isInit: true,
      stop,
    });
    await release();
    return [code, stderr];
  }

  test('an interrupted migrate-data moves nothing', async () => {
    const from = newFolder();
    await withStore(from, ({ features: { loans } }) => importItems(loans, numbered(3)));
    const outcome = 'library: interrupted; either nothing or everything was moved\n';
    expect(await interrupt(['migrate-data', '--from', from], 'loans')).toEqual([143, outcome]);
    expect(await postgres.run('SELECT FROM loans', url)).toEqual([]);
  });

  test('a command without a progress bar ends too', async () => {
    expect(await interrupt(['audit'], 'audit')).toEqual([143, '']);
  });
});
