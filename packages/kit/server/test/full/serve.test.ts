import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { describeWith, freePort } from '@contract-kit/test-support';
import { openSqlite } from '../../src/database/sqlite/driver.ts';
import { openCountersFile } from '../../src/limits/counters-file.ts';
import {
  commandsOf,
  newFolder,
  originOf,
  rateLimitIn,
  type Served,
  shared,
  startPostgres,
  startProcess,
  until,
} from '@contract-kit/test-support/testing';
import { importItems } from '@contract-kit/test-support/testing';
import { responseTo, connectAll, sendRaw } from '../../src/testing/raw.ts';
import {
  bin,
  command,
  expectError,
  filesIn,
  newKey,
  startTestService,
  withStore,
} from '../library/service.ts';

const serve = (dataDir: string, args: readonly string[] = []) => command.serve({ dataDir }, args);

const freeKey = (dataDir: string) => withStore(dataDir, (store) => newKey(store, 'free'));

const request = ({ origin }: Served, key: string, target = '/v1/loans', method = 'GET') =>
  fetch(`${origin}${target}`, { method, headers: { authorization: `Bearer ${key}` } });

describe('a server', () => {
  const dataDir = newFolder();
  const server = shared(() => serve(dataDir));

  test('sees the changes of other commands, which work while it runs', async () => {
    const create = ['keys', 'create', '--plan', 'free', '--name', 't'];
    const { id, key } = await command.json<{ id: string; key: string }>(create, { dataDir });
    expect(await (await request(server, key)).json()).toEqual([]);
    await command.run(['loans', 'import', '-'], { dataDir, input: '[{"id":1},{"id":2,"returned":true}]' });
    expect(await (await request(server, key)).json()).toEqual([{ id: 1 }, { id: 2, returned: true }]);
    await command.run(['keys', 'revoke', id], { dataDir });
    await until(async () => (await request(server, key)).status === 401);
  });

  test('rejects a second one on its DATA_DIR, and is named as the holder', async () => {
    expect(await command.resultOfRejection(['serve', '--port', '0'], { dataDir })).toMatch(
      new RegExp(`^library: DATA_DIR \\S+ is already served by process ${server.pid} of ${hostname()} `),
    );
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  });

  test('opens no inspector at SIGUSR1, and stops at SIGHUP as at SIGTERM', async () => {
    process.kill(server.pid, 'SIGUSR1');
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    expect(await server.kill('SIGHUP')).toBe(0);
    expect(server.output.stdout).toContain('"stopped"');
    expect(server.output.stderr).toBe('');
  });
});

test.concurrent('serve adds no data, creates no key, and prints and logs none', async () => {
  const dataDir = newFolder();
  const server = await serve(dataDir);
  expect(await withStore(dataDir, ({ keys }) => keys.list())).toEqual([]);
  const key = await freeKey(dataDir);
  await request(server, key);
  await request(server, `${key}x`);
  await request(server, key, `/v1/loans?key=${key}`);
  await request(server, key, `/v1/loans/${key}`, 'DELETE');
  const encoded = key.replace('_', '%5F').replace('l', '%256C');
  await request(server, key, `/v1/loans/${encoded}`, 'DELETE');
  await fetch(`${server.origin}/v1/none`, { headers: { 'x-request-id': key } });
  expect(await (await request(server, key)).json()).toEqual([]);
  expect(await server.kill('SIGTERM')).toBe(0);
  expect(server.output.stdout + server.output.stderr).not.toContain(key.slice('lib_'.length));
});

test.concurrent(
  '--demo fills an empty store and changes no other, and the curl line works at every start',
  async () => {
    const dataDir = newFolder();
    const lines: string[] = [];
    for (let start = 0; start < 2; start += 1) {
      const server = await serve(dataDir, ['--demo']);
      await until(() => /curl .*\n/.test(server.output.stdout));
      const [, url = '', key = ''] =
        /curl '(\S+)' --header "Authorization: Bearer (\S+)" --fail-with-body\n/.exec(server.output.stdout) ??
        [];
      lines.push(key);
      const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
      expect(response.status).toBe(200);
      expect(await (await request(server, key)).json()).toEqual(
        [{ id: 1, bookId: 12 }, { id: 2 }].slice(0, start + 1),
      );
      if (start === 0) await withStore(dataDir, ({ features: { loans } }) => importItems(loans, [{ id: 2 }]));
      expect(await server.kill('SIGINT')).toBe(0);
    }
    expect(lines[0]).toBe(lines[1]);
  },
);

const NOTE = /the store has demonstration data, and its demonstration keys are refused: (use [^"]+)"/g;

/** Starts a server, asks with each key, and stops it. Gives the statuses, and what it says of demonstration data. */
async function tried(own: Parameters<typeof command.serve>[0], keys: readonly string[], args: string[] = []) {
  const server = await command.serve(own, args);
  const statuses: number[] = [];
  for (const key of keys) statuses.push((await request(server, key)).status);
  if (args.includes('--demo')) await until(() => /Bearer (\w+)/.test(server.output.stdout));
  const [, printed = ''] = /Bearer (\w+)/.exec(server.output.stdout) ?? [];
  await server.kill('SIGTERM');
  const notes = [...server.output.stdout.matchAll(NOTE)].map(([, wayOut = '']) => wayOut);
  return { statuses, notes, printed };
}

describe('a store that --demo has filled', () => {
  const dataDir = newFolder();
  const seeded = shared(async () => {
    const { notes, printed: demoKey } = await tried({ dataDir }, [], ['--demo']);
    return { notes, demoKey, own: await freeKey(dataDir) };
  });
  const wayOut = `use another DATA_DIR than ${dataDir} to begin again, or --demo to accept the key`;

  test('says so at every start without --demo, and refuses the demonstration key only', async () => {
    const keys = [seeded.demoKey, seeded.own];
    expect(seeded.notes).toEqual([]);
    for (let start = 0; start < 2; start += 1)
      expect(await tried({ dataDir }, keys)).toMatchObject({ statuses: [401, 200], notes: [wayOut] });
    const again = await tried({ dataDir }, keys, ['--demo']);
    expect(again).toEqual({ statuses: [200, 200], notes: [], printed: seeded.demoKey });
    const { stdout } = await command.run(['keys', 'list'], { dataDir });
    expect(stdout).toMatch(/^demo_\w+ +demo /m);
  });

  test('is recognized in a backup and in another folder', async () => {
    const [file, restored] = [path.join(newFolder(), 'backup.db'), newFolder()];
    await command.run(['backup', file], { dataDir });
    await command.run(['restore', file, '--yes'], { dataDir: restored });
    const { statuses, notes } = await tried({ dataDir: restored }, [seeded.demoKey, seeded.own]);
    expect([statuses, notes]).toEqual([[401, 200], [wayOut.replace(dataDir, restored)]]);
    // Its folder has no copy of the key: --demo makes another.
    const { printed } = await tried({ dataDir: restored }, [], ['--demo']);
    expect(printed).not.toBe(seeded.demoKey);
    const both = await tried({ dataDir: restored }, [seeded.demoKey, printed]);
    expect(both).toMatchObject({ statuses: [401, 401], notes: [expect.any(String)] });
  });

  test('says so also if its key is revoked, which --demo replaces', async () => {
    const own = { dataDir: newFolder() };
    const { printed: first } = await tried(own, [], ['--demo']);
    const [{ id = '' } = {}] = await command.json<{ id: string }[]>(['keys', 'list'], own);
    await command.run(['keys', 'revoke', id, '--yes'], own);
    expect(await tried(own, [first])).toMatchObject({ statuses: [401], notes: [expect.any(String)] });
    const { printed: second } = await tried(own, [], ['--demo']);
    expect(await tried(own, [first, second], ['--demo'])).toMatchObject({ statuses: [401, 200], notes: [] });
  });

  describeWith(['PostgreSQL'], 'and that is moved to PostgreSQL', () => {
    const postgres = shared(startPostgres);

    test('says so, and refuses the demonstration key only', async () => {
      const env = { DATABASE_URL: await postgres.createDatabase() };
      await command.run(['migrate-data', '--from', dataDir], { dataDir: newFolder(), env });
      const { statuses, notes } = await tried({ dataDir: newFolder(), env }, [seeded.demoKey, seeded.own]);
      expect([statuses, notes]).toEqual([[401, 200], ['use another DATABASE_URL to begin again']]);
    });
  });
});

test('says nothing of demonstration data in another store, and accepts a key that is named demo', async () => {
  const dataDir = newFolder();
  const create = ['keys', 'create', '--plan', 'free', '--name', 'demo'];
  const { key } = await command.json<{ key: string }>(create, { dataDir });
  expect(await tried({ dataDir }, [key])).toMatchObject({ statuses: [200], notes: [] });
});

test('--demo prints its key also if everyone may read, as long as an operation needs one', async () => {
  const folder = newFolder();
  const program = path.join(folder, 'main.mts');
  const from = (file: string) => JSON.stringify(path.join(import.meta.dirname, file));
  writeFileSync(
    program,
    `import { runCommand } from ${from('../../src/index.ts')};
     import { library } from ${from('../library/library.ts')};
     const contract = structuredClone(library.contract);
     for (const { get } of Object.values(contract.document.paths)) {
       if (get) get.security = [];
     }
     await runCommand({ ...library, contract });`,
  );
  const open = commandsOf('library', ['--import', 'tsx', program]);
  const { output, kill } = await open.serve({ dataDir: path.join(folder, 'data') }, ['--demo']);
  await until(() => output.stdout.includes('Read the docs'));
  expect(output.stdout).toMatch(
    / Try it: +curl '[^']+' --fail-with-body\n +API key: +lib_\w+\n +Read the docs: /,
  );
  await kill('SIGTERM');
});

test('--validate-responses turns an invalid response into a 500', async () => {
  const dataDir = newFolder();
  await withStore(dataDir, ({ features: { loans } }) => importItems(loans, [{ id: 1 }]));
  const key = await freeKey(dataDir);
  const database = openSqlite(filesIn(dataDir).store);
  database.pragma('ignore_check_constraints = ON');
  database.exec('UPDATE loans SET days = -1');
  database.close();
  const server = await serve(dataDir);
  expect((await request(server, key)).status).toBe(200);
  await server.kill('SIGTERM');
  const validating = await serve(dataDir, ['--validate-responses']);
  expect((await request(validating, key)).status).toBe(500);
});

test('SIGTERM stores the counters and exits 0; kill -9 loses no ban, and only the counters of the last second', async () => {
  const dataDir = newFolder();
  const banned = await freeKey(dataDir);
  const counted = await freeKey(dataDir);
  const first = await serve(dataDir);
  await request(first, counted);
  expect(await first.kill('SIGTERM')).toBe(0);
  expect(first.output.stdout).toContain('"stopped"');

  const second = await serve(dataDir);
  for (let index = 0; index < 4; index += 1) await request(second, counted);
  await until(() => storedCounts(dataDir).includes(5));
  await Promise.all(Array.from({ length: 125 }, () => request(second, banned)));
  expect(await (await request(second, banned)).json()).toMatchObject({ code: 'api_key_banned' });
  await second.kill('SIGKILL');

  const third = await serve(dataDir);
  const refused = await request(third, banned);
  expect(await refused.json()).toMatchObject({ code: 'api_key_banned' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(840);
  expect(rateLimitIn((await request(third, counted)).headers).remaining).toBe(54);
});

/** The stored requests per minute of the embedded limiter, by account. */
function storedCounts(dataDir: string): number[] {
  const file = openCountersFile(filesIn(dataDir).counters);
  const counts = [...file.load()].map(([, { minuteCount }]) => minuteCount);
  file.close();
  return counts;
}

test('rejects an address that is not of this machine', async () => {
  await expect(startTestService({ env: { HOST: '192.0.2.1' } })).rejects.toThrow(
    '192.0.2.1 is not an address of this machine',
  );
});

test('responds with 503 on connections above MAX_CONNECTIONS, until others close', async () => {
  const service = await startTestService({ env: { MAX_CONNECTIONS: '2' } });
  const sockets = await connectAll(service.origin, 2);
  const response = await responseTo(service.origin, 'GET /v1/loans HTTP/1.1\r\nHost: x\r\n\r\n');
  expect([response.headers.get('connection'), response.headers.get('retry-after')]).toEqual(['close', '1']);
  await expectError(response, 'service_unavailable');
  expect(await sendRaw(service.origin, '')).toBe('');
  // One line, not one per connection.
  expect(service.messages('connections refused')).toHaveLength(1);
  for (const socket of sockets) socket.destroy();
  await until(async () => (await service.request('/healthz').catch(() => undefined))?.status === 200);
});

test('SIGHUP does not stop a service that nohup started in a shell', async () => {
  const args = ['-c', 'nohup "$0" "$@"', process.execPath, bin, 'serve', '--port', '0'];
  const service = startProcess('bash', args, {
    env: { PATH: process.env['PATH'], DATA_DIR: newFolder(), SHUTDOWN_DELAY_SECONDS: '0' },
  });
  const origin = await originOf(service);
  service.child.kill('SIGHUP');
  expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  expect(await service.kill('SIGINT')).toBe(0);
  expect(service.output.stdout).toContain('"signal":"SIGINT"');
});

describe('a log that cannot be written stops neither the service nor its shutdown:', () => {
  /** Serves with its log going to the file `log`. */
  async function serveInto(log: number) {
    const port = await freePort();
    const service = startProcess(process.execPath, [bin, 'serve'], {
      env: { PORT: String(port), DATA_DIR: newFolder(), SHUTDOWN_DELAY_SECONDS: '0' },
      stdio: ['ignore', log, 'pipe'],
      // A service that does not exit is a failure.
      timeout: 60_000,
      killSignal: 'SIGKILL',
    });
    closeSync(log);
    const status = (target: string) =>
      fetch(`http://127.0.0.1:${port}${target}`).then((response) => response.status, String);
    await until(async () => (await status('/v1/loans')) === 401);
    const failures = async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return Number(/^library_log_failures_total (\d+)$/m.exec(metrics)?.[1]);
    };
    return { ...service, status, failures };
  }

  /** A named pipe whose reader reads nothing. `meet` gets it before this process writes to it. */
  function openPipe(meet: (reader: number) => void = () => undefined): number {
    const pipe = path.join(newFolder(), 'log');
    execFileSync('mkfifo', [pipe]);
    const reader = openSync(pipe, 'r+');
    const writer = openSync(pipe, 'w');
    meet(reader);
    return writer;
  }

  test.each([
    ['a full disk', () => openSync('/dev/full', 'w'), 'ENOSPC'],
    ['a reader that has gone', () => openPipe((reader) => closeSync(reader)), 'EPIPE'],
  ])('%s is counted, and reported once on standard error', async (_, open, reason) => {
    const { kill, failures, output } = await serveInto(open());
    await until(async () => (await failures()) > 1);
    expect(await kill('SIGTERM')).toBe(0);
    expect(output.stderr).toMatch(
      new RegExp(`^library: cannot write the log to standard output: ${reason}[^\\n]+\\n$`),
    );
  });

  test('a frozen reader', async () => {
    const { kill, status } = await serveInto(openPipe());
    for (let count = 0; count < 1_000; count += 1) await status('/v1/loans');
    expect(await kill('SIGTERM')).toBe(0);
  });
});
