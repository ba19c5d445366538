import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { openDatabase } from '../../src/database/sqlite/database.ts';
import { newFolder, startProcess, until } from '@contract-kit/test-support/testing';
import { importItems } from '@contract-kit/test-support/testing';
import { createProgram } from '../../src/command/program.ts';
import { library } from '../library/library.ts';
import { bin, command, createKey, filesIn, numbered, storedLoans, withStore } from '../library/service.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = newFolder();
});

const run = (...args: string[]) => command.run(args, { dataDir });

/** Adds a key, and loans with the ids up to `count`. Resolves to the id of the key. */
const fill = (count = 0) =>
  withStore(dataDir, async ({ features: { loans }, keys }) => {
    await importItems(loans, numbered(count));
    return (await createKey(keys, { name: 'shop', plan: 'free', now: new Date() })).id;
  });

const json = <Value = unknown>(args: string) => command.json<Value>(args.split(' '), { dataDir });

test.each(['', 'serve', 'loans import'])('`%s` prints its help on stdout and exits 0', async (name) => {
  const explained = await run(...name.split(' ').filter(Boolean), '--help');
  expect(explained).toMatchObject({ code: 0, stderr: '' });
  expect(explained.stdout).toContain(`Usage: library ${name}`.trim());
});

test.each([
  ['an unknown command', 'fly'],
  ['an unknown option', 'keys list --verbose'],
  ['no command', ''],
  ['a quota for a plan that has one', 'keys create --plan free --name n --per-minute 5'],
  ['no quota for a plan that has none', 'keys create --plan enterprise --name n --per-minute 5'],
  ['too many arguments', 'keys revoke key_1 key_2'],
])('%s is wrong usage: a prefixed error on stderr, exit code 2', async (_, args) => {
  const { code, stdout, stderr } = await run(...args.split(' ').filter(Boolean));
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(args === '' ? /^Usage: library / : /^library: /);
  expect(stderr).not.toMatch(/^error|\bat .*\.[jt]s:/m);
});

test.each([
  ['a ban of a key that there is not', 'keys unban key_none', 'library keys list'],
  ['a file that there is not', 'loans import no-such-file', 'there is no such file'],
])('%s is a failure: one line on stderr with advice, exit code 1', async (_, args, help) => {
  await fill();
  expect(await command.resultOfRejection(args.split(' '), { dataDir })).toContain(help);
});

test('bad configuration names every variable, and exits with the code that systemd does not restart', async () => {
  const env = { PORT: 'x', BAN_SECONDS: '-1' };
  const { code, stderr } = await command.run(['serve'], { dataDir, env });
  expect(code).toBe(2);
  const port = 'PORT must be a whole number from 0 to 65535, not "x"';
  expect(stderr).toMatch(new RegExp(`^library: bad configuration: ${port}; BAN_SECONDS must [^\n]+\n$`));
});

test('does not touch a database of a newer version', async () => {
  await withStore(dataDir, () => Promise.resolve());
  const database = openDatabase(filesIn(dataDir).store, { synchronous: 'NORMAL' });
  database.exec(`UPDATE service_schema SET version = 99 WHERE feature = ''`);
  database.close();
  const refusal = await command.resultOfRejection(['keys', 'list'], { dataDir });
  expect(refusal).toContain('is newer than this program (schema 99 of the kit, known up to');
});

test('creates a key, lists it without its secret, revokes and unbans it', async () => {
  dataDir = path.join(newFolder(), 'made', 'too');
  const created = await json<{ id: string; key: string }>('keys create --plan free --name t');
  expect(created).toEqual({
    id: expect.stringMatching(/^key_\w+$/) as string,
    key: expect.stringMatching(/^lib_[0-9A-Za-z]{38}$/) as string,
    name: 't',
    plan: 'free',
    perMinute: 60,
    perDay: 1000,
  });
  const list = () => json<Record<string, unknown>[]>('keys list');
  const { id, key, ...shown } = created;
  expect(await list()).toMatchObject([{ id, ...shown, createdAt: expect.stringMatching(/Z$/) as string }]);
  expect(await json(`keys unban ${id}`)).toEqual({ id, banned: false });
  expect(await json(`keys revoke ${id}`)).toEqual({ id, revoked: true });
  expect((await list())[0]).toMatchObject({ id, revokedAt: expect.stringMatching(/Z$/) as string });
  const forPeople = await run('keys', 'list');
  expect(forPeople.stdout).toContain(id);
  expect(forPeople.stdout + JSON.stringify(await list())).not.toContain(key);
});

test('a key has an owner, who is listed, changed and audited', async () => {
  const created = await json<{ id: string }>('keys create --plan free --name till --owner shop-1');
  expect(created).toMatchObject({ name: 'till', owner: 'shop-1' });
  const owners = async () => (await json<{ owner?: string }[]>('keys list')).map(({ owner }) => owner);
  expect(await owners()).toEqual(['shop-1']);
  expect((await run('keys', 'list')).stdout).toMatch(/OWNER.*\n.*shop-1/);
  expect(await json(`keys change ${created.id} --plan pro`)).toMatchObject({ owner: 'shop-1' });
  expect(await json(`keys change ${created.id} --owner shop-2`)).toMatchObject({ owner: 'shop-2' });
  expect(await owners()).toEqual(['shop-2']);
  expect((await run('keys', 'show', created.id)).stdout).toMatch(/owner +shop-2/);
  expect((await json<{ changes?: string }[]>('audit')).at(-1)?.changes).toBe('owner "shop-1" → "shop-2"');
  const refused = await run('keys', 'create', '--plan', 'free', '--name', 'n', '--owner', 'a\nb');
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('must be one line')]);
});

describe('keys change', () => {
  const created = (args: string) => json<{ id: string }>(`keys create --name t ${args}`);
  const settings = async () => {
    const [{ name, plan, perMinute, perDay } = {}] = await json<Record<string, unknown>[]>('keys list');
    return { name, plan, perMinute, perDay };
  };

  test('changes plan, quotas and name, and leaves the rest as it was', async () => {
    const { id } = await created('--plan free');
    const steps: [string, object][] = [
      ['--plan pro', { name: 't', plan: 'pro', perMinute: 300, perDay: 10_000 }],
      ['--plan enterprise --per-minute 5 --per-day 50', { plan: 'enterprise', perMinute: 5, perDay: 50 }],
      ['--per-day 60 --name u', { name: 'u', plan: 'enterprise', perMinute: 5, perDay: 60 }],
      ['--plan free', { name: 'u', plan: 'free', perMinute: 60, perDay: 1_000 }],
    ];
    for (const [args, expected] of steps) {
      expect(await json(`keys change ${id} ${args}`)).toMatchObject({ id, ...expected });
      expect(await settings()).toMatchObject(expected);
    }
    expect((await json<{ changes?: string }[]>('audit')).map(({ changes }) => changes)).toEqual([
      undefined,
      'plan free → pro, per minute 60 → 300, per day 1000 → 10000',
      'plan pro → enterprise, per minute 300 → 5, per day 10000 → 50',
      'name "t" → "u", per day 50 → 60',
      'plan enterprise → free, per minute 5 → 60, per day 60 → 1000',
    ]);
    expect((await run('audit')).stdout).toContain('changed: plan free → pro');
  });

  test.each([
    ['an unknown key', 'key_none --plan pro', 1, 'no key has the id key_none'],
    ['nothing to change', 'ID', 1, 'nothing to change'],
    ['the settings that it has', 'ID --plan free --name t', 1, 'nothing to change'],
    ['an unknown plan', 'ID --plan gold', 2, 'gold'],
    ['quotas of a plan that has its own', 'ID --per-minute 5', 2, 'the quotas of the plan free are fixed'],
    ['a custom plan without a quota', 'ID --plan enterprise --per-day 9', 2, 'give both --per-minute and'],
    ['a quota of 0', 'ID --plan enterprise --per-day 9 --per-minute 0', 2, 'a whole number from 1'],
    ['an empty name', 'ID --plan pro --name= ', 2, 'must not be empty'],
    ['scopes, which the contract has none of', 'ID --scope loans:read', 2, '--scope'],
  ])('refuses %s, and changes nothing', async (_, args, code, says) => {
    const { id } = await created('--plan free');
    const before = [await settings(), await json('audit')];
    const refused = await run('keys', 'change', ...args.replace('ID', id).trim().split(' '));
    expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(says)]);
    expect([await settings(), await json('audit')]).toEqual(before);
  });

  test('replaces the scopes of a key, or takes them all, and refuses one that no operation has', async () => {
    const { id } = await created('--plan free');
    const scopes = ['loans:read', 'loans:write'];
    const scoped = { ...library, contract: { ...library.contract, scopes } };
    const change = async (...args: string[]) => {
      await createProgram(scoped).parseAsync(['keys', 'change', id, ...args], { from: 'user' });
      return (await json<{ scopes?: string[] }[]>('keys list'))[0]?.scopes;
    };
    jest.replaceProperty(process, 'env', { ...process.env, DATA_DIR: dataDir });
    const said = ['log', 'error'] as const;
    for (const method of said) jest.spyOn(console, method).mockImplementation(() => {});
    jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(await change('--scope', 'loans:read', 'loans:write')).toEqual(['loans:read', 'loans:write']);
    expect(await change('--plan', 'pro')).toEqual(['loans:read', 'loans:write']);
    expect(await change('--scope', 'loans:write')).toEqual(['loans:write']);
    await expect(change('--scope', 'loans:all')).rejects.toThrow('loans:all');
    const create = createProgram(scoped).parseAsync(
      ['keys', 'create', '--plan', 'free', '--name', 'n', '--scope', 'loans:all'],
      { from: 'user' },
    );
    await expect(create).rejects.toThrow(/'loans:all' is invalid.*loans:read, loans:write/);
    expect(await change('--no-scope')).toBeUndefined();
    jest.restoreAllMocks();
    expect((await json<{ changes?: string }[]>('audit')).at(-1)?.changes).toBe('scopes loans:write → none');
  });

  test('has no quotas to set if the contract has no plans, and says so of a key from that time', async () => {
    const unlimited = { ...library, contract: { ...library.contract, plans: {} } };
    const keys = (service: typeof unlimited, ...args: string[]) =>
      createProgram(service).parseAsync(['keys', ...args], { from: 'user' });
    jest.replaceProperty(process, 'env', { ...process.env, DATA_DIR: dataDir });
    jest.spyOn(console, 'log').mockImplementation(() => {});
    const errors = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const said = () => errors.mock.calls.map(String).join('');
    await keys(unlimited, 'create', '--name', 'till');
    await expect(keys(unlimited, 'create', '--name', 'n', '--per-minute', '5')).rejects.toThrow(
      "'--per-minute'",
    );
    const { id } = (await json<{ id: string }[]>('keys list'))[0] ?? { id: '' };
    await expect(keys(unlimited, 'change', id, '--per-day', '5')).rejects.toThrow("'--per-day'");
    await expect(keys(library, 'change', id, '--per-day', '5')).rejects.toThrow(
      'the key has no plan yet; give --plan',
    );
    expect(said()).not.toContain('plan none');
    jest.restoreAllMocks();
  });

  test('refuses a revoked key', async () => {
    const { id } = await created('--plan free');
    await json(`keys revoke ${id}`);
    expect(await command.resultOfRejection(['keys', 'change', id, '--plan', 'pro'], { dataDir })).toContain(
      'is revoked for good: create another key',
    );
  });
});

test('--quiet prints only the new key', async () => {
  const { stdout } = await run('keys', 'create', '--plan', 'free', '--name', 'shop', '--quiet');
  expect(stdout).toMatch(/^lib_[0-9A-Za-z]{38}\n$/);
});

test('the name of a key is a single line', async () => {
  const { code, stderr } = await run('keys', 'create', '--plan', 'free', '--name', 'a\nkey_0  b');
  expect([code, stderr]).toEqual([2, expect.stringContaining('one line of at most 200 characters')]);
});

test('a command that only reads creates no store', async () => {
  const refusal = await command.resultOfRejection(['keys', 'revoke', 'key_1'], { dataDir });
  expect(refusal).toContain(`library: there is no store in ${dataDir}: set DATA_DIR to its folder`);
  expect(readdirSync(dataDir)).toEqual([]);
});

test('reports output that cannot be written', async () => {
  await fill();
  const script = `'${process.execPath}' '${bin}' keys list >/dev/full`;
  const { status, stderr } = spawnSync('sh', ['-c', script], {
    env: { DATA_DIR: dataDir },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([1, 'library: cannot write the output: the disk is full\n']);
});

test('control characters in a file are escaped on the terminal', async () => {
  const { stderr } = await command.run(['loans', 'import', '-'], {
    dataDir,
    input: '{"\u009b1m":1}\n\u001b[2J',
  });
  expect(stderr).toContain('line 1: unknown field');
  expect(stderr).not.toMatch(/[\u001b\u009b]/);
});

test('an interrupted import reports its outcome, and leaves no files', async () => {
  await fill();
  // When the write-ahead log exists, the store is open and signals are handled.
  const stop = { signal: 'SIGINT', when: () => existsSync(`${filesIn(dataDir).store}-wal`) } as const;
  const { code, stderr } = await command.run(['loans', 'import', '-'], { dataDir, stop });
  expect([code, stderr]).toEqual([null, 'library: interrupted; nothing was imported\n']);
  expect(await withStore(dataDir, ({ features: { loans } }) => storedLoans(loans))).toEqual([]);
});

test.each([
  ['backup -', 'name a file, as in `library backup FILE`'],
  ['restore - --yes', 'name a file, as in `library restore FILE`'],
])('`%s` is rejected with the form to use', async (args, instead) => {
  const { code, stdout, stderr } = await run(...args.split(' '));
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^library: [^\n]+\n$/);
  expect(stderr).toContain(`cannot keep a checksum: ${instead}`);
});

describe('on a terminal', () => {
  /** Runs the command on a new terminal, and types `answer` at its prompt. Resolves to its output. */
  async function onTerminal(args: readonly string[], answer: string): Promise<string> {
    const command = [process.execPath, bin, ...args].join(' ');
    const { child, output, ended } = startProcess('script', ['-qefc', command, '/dev/null'], {
      env: { ...process.env, DATA_DIR: dataDir },
    });
    // A command without a prompt may have ended already.
    child.stdin?.on('error', () => undefined);
    const shows = (text: string) => output.stdout.includes(text);
    await until(() => child.exitCode !== null || shows('[y/N]') || shows('revoked'));
    child.stdin?.write(answer);
    await ended;
    return output.stdout;
  }

  const CTRL_C = '\u0003';

  test.each([
    ['n\n', [], 'nothing was done'],
    [CTRL_C, [], '\r\nlibrary: nothing was done\r\n'],
    ['y\n', [], 'is revoked'],
    ['n\n', ['--yes'], 'is revoked'],
  ])('revoking a key needs confirmation: %j with %j', async (answer, flags, outcome) => {
    const id = await fill();
    const shown = await onTerminal(['keys', 'revoke', id, ...flags], answer);
    expect(shown.includes(`Revoke ${id} for good? [y/N]`)).toBe(flags.length === 0);
    expect(shown).toContain(outcome);
  });

  test('restoring needs confirmation, and its progress bar restores the cursor', async () => {
    const file = path.join(newFolder(), 'backup.db');
    await fill(1);
    await run('backup', file);
    const stored = () => withStore(dataDir, ({ features: { loans } }) => storedLoans(loans));
    await withStore(dataDir, ({ features: { loans } }) => importItems(loans, [{ id: 2 }]));
    expect(await onTerminal(['restore', file], 'n\n')).toContain('nothing was done');
    expect(await stored()).toHaveLength(2);
    const shown = await onTerminal(['restore', file], 'y\n');
    expect(shown).toContain('loans 1)');
    expect(shown.lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(shown.lastIndexOf(HIDE_CURSOR));
  });

  const [HIDE_CURSOR, SHOW_CURSOR] = ['\u001b[?25l', '\u001b[?25h'];
});
