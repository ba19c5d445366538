import { spawnSync } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeWith } from '@contract-kit/test-support';
import {
  newFolder,
  shared,
  startPostgres,
  startRelay,
  until,
  type CommandOptions,
  type CommandResult,
} from '@contract-kit/test-support/testing';
import { importItems } from '@contract-kit/test-support/testing';
import {
  bin,
  command,
  filesIn,
  numbered,
  startTestService,
  storedLoans,
  withStore,
} from '../library/service.ts';
import { startOnSmallDisk } from '../support/small-disk.ts';

const COUNT = 100_000;
let dataDir: string;

beforeEach(() => {
  dataDir = newFolder();
});

function importFile(
  content: string,
  stop?: CommandOptions['stop'],
  env?: Record<string, string>,
): Promise<CommandResult> {
  const file = path.join(newFolder(), 'import.json');
  writeFileSync(file, content);
  const options = { dataDir, ...(env && { env }), ...(stop && { stop }) };
  return command.run(['loans', 'import', file, '--json'], options);
}

const stored = () => withStore(dataDir, ({ features: { loans } }) => storedLoans(loans));

const lines = (count: number, line: (id: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index + 1)).join('\n');

/** The lines of COUNT loans, whose ids start after `first`. */
const loans = (first: number) => lines(COUNT, (id) => `{"id":${first + id},"bookId":${id % 7}}`);

/** The lines of stderr that are not the progress bar. */
const complaints = ({ stderr }: CommandResult) =>
  stderr.split('\n').filter((line) => /^(line|item|library)/.test(line));

test(`with one bad line in ${COUNT}, imports nothing and names the line and the reason`, async () => {
  const content = lines(COUNT, (id) => (id === 17_777 ? `{"id":${id},"days":-1}` : `{"id":${id},"days":1}`));
  const result = await importFile(content);
  expect([result.code, result.stdout]).toEqual([1, '']);
  expect(complaints(result)).toEqual([
    'line 17777: days must be >= 0',
    'library: 1 bad line; nothing was imported',
  ]);
  expect(await stored()).toEqual([]);
});

test('during an import, a list shows none or all of it, and a cancel succeeds or gets 503 with Retry-After', async () => {
  const service = await startTestService({ dataDir });
  const key = await service.unlimitedKey();
  await service.addLoans(numbered(1_000));
  let isDone = false;
  const importing = importFile(loans(1_000)).finally(() => (isDone = true));
  const counts = new Set<number>();
  const count = async () => counts.add(((await (await service.list(key)).json()) as unknown[]).length);
  for (let id = 1; !isDone; id = (id % 1_000) + 1) {
    await count();
    const cancelled = await service.cancel(id, key);
    expect([204, 503]).toContain(cancelled.status);
    if (cancelled.status === 503) expect(cancelled.headers.has('retry-after')).toBe(true);
  }
  const { code, stdout, stderr } = await importing;
  // The progress bar is for terminals.
  expect([code, JSON.parse(stdout), stderr]).toEqual([0, { imported: COUNT }, '']);
  await count();
  expect([...counts].sort((a, b) => a - b)).toEqual([1_000, 1_000 + COUNT]);
});

/** Whether the rows are being written: they are staged in another file than the write-ahead log. */
const isGoingIn = () =>
  (statSync(`${filesIn(dataDir).store}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 100_000;

test('an import killed while it writes leaves all rows or none, and no file', async () => {
  await withStore(dataDir, () => Promise.resolve());
  await importFile(loans(0), { signal: 'SIGKILL', when: isGoingIn });
  expect([0, COUNT]).toContain((await stored()).length);
  expect(readdirSync(dataDir)).toEqual([path.basename(filesIn(dataDir).store)]);
});

test('an import interrupted while it writes says whether it has imported all or nothing', async () => {
  await withStore(dataDir, () => Promise.resolve());
  const { code, stdout, stderr } = await importFile(loans(0), { signal: 'SIGTERM', when: isGoingIn });
  const outcome = code === 0 ? stdout : stderr;
  const isIn = (await stored()).length === COUNT;
  expect(outcome).toMatch(
    isIn ? /^library: interrupted; everything|^{"imported":100000}/ : /^library: interrupted; nothing/,
  );
});

test.each([
  [
    'every bad line, and both lines of a repeated id',
    '{"id":1}\nnonsense\n{"id":3,"returned":7}\n\n{"id":"3"}\n{"id":1}',
    [
      /^line 2: not valid JSON: /,
      /^line 3: returned must be boolean$/,
      /^line 5: id must be integer$/,
      /^line 6: id 1 is on line 1 already$/,
      /^library: 4 bad lines; nothing was imported$/,
    ],
  ],
  [
    'an unfinished array',
    '[{"id":1},\n{"id":3}',
    [/^library: cannot import .* not valid JSON: .*; nothing was imported$/],
  ],
  [
    'every bad item of an array',
    '[{"id":1},\n{"id":3,"returned":7},{"id":"3"}, {"id":2}, {"id":1}]',
    [
      /^item 2: returned must be boolean$/,
      /^item 3: id must be integer$/,
      /^item 5: id 1 is on item 1 already$/,
      /^library: 3 bad items; nothing was imported$/,
    ],
  ],
  [
    'an id that is in the store',
    '{"id":1}\n{"id":2}',
    [
      /^line 2: the store already has loan 2$/,
      /^library: 1 of these ids already exist; nothing was imported$/,
    ],
  ],
  [
    'that no ids are left',
    '{"id":9007199254740991}\n{"bookId":1}',
    [/^library: cannot import .*: no ids are left .*; nothing was imported$/],
  ],
])('the error names %s, and the store is unchanged', async (_, content, reasons) => {
  const before = [{ id: 2, returned: true }];
  await withStore(dataDir, ({ features: { loans } }) => importItems(loans, before));
  const result = await importFile(content);
  expect([result.code, result.stdout]).toEqual([1, '']);
  expect(complaints(result)).toEqual(reasons.map((reason) => expect.stringMatching(reason) as string));
  expect(await stored()).toEqual(before);
});

test('stops reading a file of bad records, and a slow reader gets every message', () => {
  const file = path.join(newFolder(), 'import.json');
  writeFileSync(
    file,
    lines(5_000, () => 'nonsense'),
  );
  const command = `${process.execPath} ${bin} loans import ${file} 2>&1 >/dev/null`;
  const { stdout } = spawnSync('sh', ['-c', `${command} | { sleep 2; cat; }`], {
    env: { ...process.env, DATA_DIR: dataDir },
    encoding: 'utf8',
  });
  const complained = stdout.trimEnd().split('\n');
  expect(complained).toHaveLength(1_001);
  expect(complained.at(-1)).toMatch(/^library: 1000 bad lines and perhaps more; nothing was imported/);
});

test('a field that is not in the contract is rejected', async () => {
  expect(complaints(await importFile('{"id":1}\n{"id":3,"colour":"red"}'))[0]).toBe(
    'line 2: unknown field "colour"',
  );
});

test('an empty file imports nothing', async () => {
  expect((await importFile('')).stdout).toBe('{"imported":0}\n');
  expect((await importFile('[]')).stdout).toBe('{"imported":0}\n');
});

describeWith(['unshare'], 'an import that does not fit on the disk', () => {
  test('is rejected before it fills the disk, and a service on it keeps working', () => {
    const library = `DATA_DIR=${dataDir} ${process.execPath} ${bin}`;
    const script = `mount -t tmpfs -o size=2m tmpfs ${dataDir} && ${library} loans import - ; ${library} keys create --plan free --name Ada --quiet`;
    const { stdout, stderr } = spawnSync('unshare', ['--map-root-user', '--mount', 'sh', '-c', script], {
      input: lines(100_000, () => '{"days":1}'),
      encoding: 'utf8',
    });
    expect(stderr).toBe('library: cannot import -: the disk is full; nothing was imported\n');
    expect(stdout).toMatch(/^lib_\w+\n$/);
  });
});

describeWith(['PostgreSQL'], 'with PostgreSQL, an import', () => {
  const postgres = shared(startPostgres);

  /** A database that clients reach by a name, and imports into it. */
  async function newDatabase(primary = postgres) {
    const name = await startRelay(primary.port);
    const direct = await primary.createDatabase();
    const url = new URL(direct);
    url.port = String(name.port);
    // An import needs no Redis.
    const env = { DATABASE_URL: url.href, REDIS_URL: 'redis://127.0.0.1:1' };
    // It makes the tables.
    await command.json(['keys', 'list'], { dataDir, env });
    const isAt = async (statement: string) => {
      const sql = `SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE '${statement}%'`;
      return (await primary.run(sql, direct)).length > 0;
    };
    return {
      name,
      direct,
      isAt,
      isWriting: () => isAt('INSERT INTO loans'),
      /** Lets no import come further than to its first row. */
      block: () => primary.hold(direct, 'LOCK TABLE loans IN SHARE MODE'),
      importAll: (stop?: CommandOptions['stop']) => importFile(loans(0), stop, env),
      count: async () => (await primary.run('SELECT FROM loans', direct)).length,
    };
  }

  test.each([
    ['SIGKILL', ''],
    ['SIGTERM', 'library: interrupted; nothing was imported\n'],
  ] as const)('that %s ends while it writes has imported nothing', async (signal, message) => {
    const { block, isWriting, importAll, count } = await newDatabase();
    const release = await block();
    expect(await importAll({ signal, when: isWriting })).toEqual({ code: null, stdout: '', stderr: message });
    await release();
    expect(await count()).toBe(0);
    expect(await importAll()).toMatchObject({ code: 0 });
    expect(await count()).toBe(COUNT);
  });

  test.each(['INSERT INTO staged', 'INSERT INTO loans'])(
    'whose connection is cut at %s imports nothing, and may be repeated',
    async (statement) => {
      const { name, block, isAt, importAll, count } = await newDatabase();
      const release = await block();
      const lost = importAll();
      await until(() => isAt(statement));
      name.cut();
      const { code, stderr } = await lost;
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^library: cannot import .*; nothing was imported\n$/),
      ]);
      await release();
      expect(await count()).toBe(0);
      expect(await importAll()).toMatchObject({ code: 0 });
      expect(await count()).toBe(COUNT);
    },
  );

  test('goes on after a time without its server', async () => {
    const { name, block, isWriting, importAll, count } = await newDatabase();
    const release = await block();
    const running = importAll();
    await until(isWriting);
    name.hang();
    await release();
    await until(async () => !(await isWriting()));
    name.resume();
    expect(await running).toMatchObject({ code: 0, stdout: `{"imported":${COUNT}}\n` });
    expect(await count()).toBe(COUNT);
  });

  test('whose server fails over imports nothing, and may be repeated at the new one', async () => {
    const primary = await startPostgres();
    const { name, direct, block, isWriting, importAll } = await newDatabase(primary);
    const standby = await startPostgres({ standbyOf: primary.port });
    await block();
    const lost = importAll();
    await until(isWriting);
    await primary.stop();
    expect((await lost).stderr).toMatch(/^library: cannot import .*; nothing was imported\n$/);
    await standby.run('SELECT pg_promote()');
    name.moveTo(standby.port);
    expect(await importAll()).toMatchObject({ code: 0 });
    const there = direct.replace(String(primary.port), String(standby.port));
    expect(await standby.run('SELECT FROM loans', there)).toHaveLength(COUNT);
  });
});

describeWith(['PostgreSQL', 'unshare'], 'an import that does not fit on the disk of PostgreSQL', () => {
  test('imports nothing, and says why', async () => {
    const { url, query } = await startOnSmallDisk();
    const { code, stderr } = await importFile(loans(0), undefined, { DATABASE_URL: url });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^library: cannot import .*: the disk is full; nothing was imported\n$/),
    ]);
    expect(await query('SELECT FROM loans')).toMatchObject({ rowCount: 0 });
    const few = await importFile('{"id":1}', undefined, { DATABASE_URL: url });
    expect([few.code, few.stderr]).toEqual([0, '']);
  });
});
