import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { newFolder, startProcess, until } from '@kit/server/testing';
import { bin, petstore, refusalOf } from './support/command.ts';
import { importOrders, numbered, storedOrders } from './support/store.ts';
import { createKey, filesIn, withStore } from './support/petstore.ts';

let dataDir: string;

beforeEach(() => {
  dataDir = newFolder();
});

const run = (...args: string[]) => petstore(args, { dataDir });

/** Puts a key into the store, which resolves to its id, and orders with the ids up to `count`. */
const fill = (count = 0) =>
  withStore(dataDir, async ({ features: { orders }, keys }) => {
    await importOrders(orders, numbered(count));
    return (await createKey(keys, { name: 'shop', plan: 'free', now: new Date() })).id;
  });

test('--version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8')) as {
    version: string;
  };
  expect(await run('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test('--quiet prints only the new key', async () => {
  const { stdout } = await run('keys', 'create', '--plan', 'free', '--name', 'shop', '--quiet');
  expect(stdout).toMatch(/^pst_[0-9A-Za-z]{38}\n$/);
});

test('a key is not named with characters that would spoil a list', async () => {
  const { code, stderr } = await run('keys', 'create', '--plan', 'free', '--name', 'a\nkey_0  b');
  expect([code, stderr]).toEqual([2, expect.stringContaining('one line of at most 200 characters')]);
});

test('a command that only reads creates no store', async () => {
  const refusal = await refusalOf(['keys', 'revoke', 'key_1'], { dataDir });
  expect(refusal).toContain(`petstore: there is no store in ${dataDir}: set DATA_DIR to its folder`);
  expect(readdirSync(dataDir)).toEqual([]);
});

test.each([
  ['keys list', /^petstore: cannot write the output: the disk is full\n$/],
  [
    'keys create --plan free --name shop',
    /^petstore: key_\w+ was created, but its key cannot be shown: the disk is full; revoke it, .*\n$/,
  ],
])('reports a full output on one line, with the id of the lost key: %s', async (args, refusal) => {
  await fill();
  const { status, stderr } = spawnSync('sh', ['-c', `'${process.execPath}' '${bin}' ${args} >/dev/full`], {
    env: { DATA_DIR: dataDir },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([1, expect.stringMatching(refusal)]);
});

test('control characters of a file are written out, and do nothing to the terminal', async () => {
  const { stderr } = await petstore(['orders', 'import', '-'], {
    dataDir,
    input: '{"\u009b1m":1}\n\u001b[2J',
  });
  expect(stderr).toContain('line 1: unknown field');
  expect(stderr).not.toMatch(/[\u001b\u009b]/);
});

test('an interrupted import reports its outcome, and leaves nothing', async () => {
  await fill();
  // The store is open once its log is there, and the handler of the signal since before that.
  const stop = { signal: 'SIGINT', when: () => existsSync(`${filesIn(dataDir).store}-wal`) } as const;
  const { code, stderr } = await petstore(['orders', 'import', '-'], { dataDir, stop });
  expect([code, stderr]).toEqual([null, 'petstore: interrupted; nothing was imported\n']);
  expect(await withStore(dataDir, ({ features: { orders } }) => storedOrders(orders))).toEqual([]);
});

test.each([
  ['backup -', 'name a file, as in `petstore backup FILE`'],
  ['restore - --yes', 'name a file, as in `petstore restore FILE`'],
  ['completion bash', '`petstore --help` lists the commands'],
])('`%s` of version 1.0 is rejected with its replacement', async (args, instead) => {
  const { code, stdout, stderr } = await run(...args.split(' '));
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^petstore: [^\n]+\n$/);
  expect(stderr).toContain(`was removed: ${instead}`);
});

describe('on a terminal', () => {
  /** Runs the command on a new terminal, and types `answer` when it asks. Resolves to its output. */
  async function onTerminal(args: readonly string[], answer: string): Promise<string> {
    const command = [process.execPath, bin, ...args].join(' ');
    const { child, output, ended } = startProcess('script', ['-qefc', command, '/dev/null'], {
      env: { ...process.env, DATA_DIR: dataDir },
    });
    // What asks nothing may have ended before it is answered.
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
    [CTRL_C, [], '\r\npetstore: nothing was done\r\n'],
    ['y\n', [], 'is revoked'],
    ['n\n', ['--yes'], 'is revoked'],
  ])('revoking a key is asked about: %j with %j', async (answer, flags, outcome) => {
    const id = await fill();
    const shown = await onTerminal(['keys', 'revoke', id, ...flags], answer);
    expect(shown.includes(`Revoke ${id} for good? [y/N]`)).toBe(flags.length === 0);
    expect(shown).toContain(outcome);
  });

  test('so is restoring, and the bar of one gives the cursor back', async () => {
    const file = path.join(newFolder(), 'backup.db');
    await fill(1);
    await run('backup', file);
    const stored = () => withStore(dataDir, ({ features: { orders } }) => storedOrders(orders));
    await withStore(dataDir, ({ features: { orders } }) => importOrders(orders, [{ id: 2 }]));
    expect(await onTerminal(['restore', file], 'n\n')).toContain('nothing was done');
    expect(await stored()).toHaveLength(2);
    const shown = await onTerminal(['restore', file], 'y\n');
    expect(shown).toContain('Restored 1 orders');
    expect(shown.lastIndexOf(SHOW_CURSOR)).toBeGreaterThan(shown.lastIndexOf(HIDE_CURSOR));
  });

  const [HIDE_CURSOR, SHOW_CURSOR] = ['\u001b[?25l', '\u001b[?25h'];
});
