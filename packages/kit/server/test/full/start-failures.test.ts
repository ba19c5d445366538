import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { openDatabase } from '../../src/database/sqlite/database.ts';
import { newFolder, type CommandOptions } from '@contract-kit/test-support/testing';
import { command, filesIn, startTestService } from '../library/service.ts';

const isUnprivileged = command.mayRunUnprivileged();

/** The error of a server that does not start. */
const reasonOfFailure = (options: CommandOptions, args: readonly string[] = []) =>
  command.resultOfRejection(['serve', '--port', '0', ...args], options);

test.each(['--port', 'ADMIN_PORT'])(
  'a port that is in use, and the folder is free again: %s',
  async (setting) => {
    const other = await startTestService();
    const { port } = new URL(other.origin);
    const dataDir = newFolder();
    const taken = `port ${port} is in use on 127.0.0.1: stop its process, or choose another with ${setting}\n`;
    const [env, args] = setting === '--port' ? [{}, [setting, port]] : [{ [setting]: port }, []];
    expect(await reasonOfFailure({ dataDir, env }, args)).toBe(`library: ${taken}`);
    await other.stop();
    await (await startTestService({ dataDir })).stop();
  },
);

test('one port for two listeners', async () => {
  const { code, stderr } = await command.run(['serve', '--port', '4711'], {
    dataDir: newFolder(),
    env: { ADMIN_PORT: '4711' },
  });
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('ADMIN_PORT must be another port than that of'),
  ]);
});

test.each(['a new folder in one', 'one'])('a folder without write permission: %s', async (which) => {
  const folder = newFolder();
  for (const item of [path.join(folder, 'read-only'), folder]) {
    mkdirSync(item, { recursive: true });
    chmodSync(item, 0o555);
  }
  // Root can write to any folder, and nobody may not be able to read this program.
  const parent = isUnprivileged ? path.join(folder, 'read-only') : '/proc';
  const dataDir = path.join(parent, which === 'one' ? '' : 'data');
  const [what, next] =
    which === 'one'
      ? ['write to DATA_DIR', 'mend that, or use another DATA_DIR']
      : ['create the folder', 'set DATA_DIR to another one'];
  expect(await reasonOfFailure({ dataDir, isUnprivileged })).toMatch(
    new RegExp(`: cannot ${what} ${path.resolve(dataDir)}: .+; ${next}\n$`),
  );
  chmodSync(folder, 0o755);
});

test('a folder below /proc, which cannot be created', async () => {
  const dataDir = '/proc/library/data';
  const refusal = expect.stringMatching(
    /: cannot create the folder \/proc\/library: .+; set DATA_DIR to another one\n$/,
  ) as string;
  expect(await reasonOfFailure({ dataDir })).toEqual(refusal);
  expect(
    await command.resultOfRejection(['keys', 'create', '--plan', 'free', '--name', 'x'], { dataDir }),
  ).toEqual(refusal);
});

test('a file without write permission, by name', async () => {
  const dataDir = newFolder();
  chmodSync(dataDir, 0o777);
  const { store } = filesIn(dataDir);
  openDatabase(store, { synchronous: 'NORMAL' }).close();
  chmodSync(store, 0o444);
  const options = isUnprivileged ? { dataDir, isUnprivileged } : { dataDir: '/proc' };
  const place = isUnprivileged ? `${dataDir}: ${store}` : '/proc';
  expect(await reasonOfFailure(options)).toContain(`cannot write to DATA_DIR ${place}: `);
});

test.each([
  ['a database that cannot be reached', [], 'cannot use the database at DATABASE_URL (127.0.0.1:1/loans): '],
  ['a demonstration in PostgreSQL', ['--demo'], '--demo only fills the embedded store, never PostgreSQL'],
])('%s, without its password', async (_, args, expected) => {
  const env = { DATABASE_URL: 'postgresql://user:secret@127.0.0.1:1/loans', LOG_LEVEL: 'error' };
  const reason = await reasonOfFailure({ dataDir: newFolder(), env }, args);
  expect(reason).toContain(expected);
  expect(reason).not.toContain('secret');
});
