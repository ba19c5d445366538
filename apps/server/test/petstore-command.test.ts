import { openDatabase } from '@kit/server/internals';
import path from 'node:path';
import { newFolder } from '@kit/server/testing';
import { petstore, petstoreJson, refusalOf, type CommandOptions } from './support/command.ts';
import { filesIn, openSqliteStore } from './support/petstore.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = newFolder();
  await (await openSqliteStore(dataDir)).close();
});

const run = (args: string, options: Partial<CommandOptions> = {}) =>
  petstore(args.split(' ').filter(Boolean), { dataDir, ...options });
const json = <Value = unknown>(args: string, options: Partial<CommandOptions>) =>
  petstoreJson<Value>(args.split(' '), { dataDir, ...options });

test.each(['', 'serve', 'orders import'])(
  '`%s` explains itself on stdout and exits 0, also to `help`',
  async (command) => {
    const explained = await run(`${command} --help`);
    expect(explained).toMatchObject({ code: 0, stderr: '' });
    expect(explained.stdout).toContain(`Usage: petstore ${command}`.trim());
    expect(await run(`help ${command}`)).toEqual(explained);
  },
);

test.each([
  ['an unknown command', 'fly'],
  ['an unknown option', 'keys list --verbose'],
  ['no command', ''],
  ['a quota for a plan that has one', 'keys create --plan free --name n --per-minute 5'],
  ['no quota for a plan that has none', 'keys create --plan enterprise --name n --per-minute 5'],
  ['too many arguments', 'keys revoke key_1 key_2'],
  ['an id that is no id', 'orders ship 1.0'],
])('%s is wrong usage: said on stderr, with the prefix of every error, exit code 2', async (_, args) => {
  const { code, stdout, stderr } = await run(args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(args === '' ? /^Usage: petstore / : /^petstore: /);
  expect(stderr).not.toMatch(/^error|\bat .*\.[jt]s:/m);
});

test.each([
  ['a ban of a key that there is not', 'keys unban key_none', 'petstore keys list'],
  ['an order that there is not', 'orders ship 4711', 'petstore orders list'],
  ['a file that there is not', 'orders import no-such-file', 'there is no such file'],
])('%s is a failure: one line on stderr that helps, exit code 1', async (_, args, help) => {
  expect(await refusalOf(args.split(' '), { dataDir })).toContain(help);
});

test('bad configuration names every variable, and ends with the code after which systemd does not start it again', async () => {
  const { code, stderr } = await run('serve', { env: { PORT: 'x', BAN_SECONDS: '-1' } });
  expect(code).toBe(2);
  const port = 'PORT must be a whole number from 0 to 65535, not "x"';
  expect(stderr).toMatch(new RegExp(`^petstore: bad configuration: ${port}; BAN_SECONDS must [^\n]+\n$`));
});

test('does not touch a database of a newer version', async () => {
  const newer = newFolder();
  const database = openDatabase(filesIn(newer).store, { synchronous: 'NORMAL' });
  database.pragma('user_version = 99');
  database.close();
  const refusal = await refusalOf(['keys', 'list'], { dataDir: newer });
  expect(refusal).toContain('is newer than this program (schema 99, known up to');
});

test('creates a key, lists it without its secret, revokes and unbans it', async () => {
  const own = { dataDir: path.join(newFolder(), 'made', 'too') };
  const created = await json<{ id: string; key: string }>('keys create --plan free --name t', own);
  expect(created).toEqual({
    id: expect.stringMatching(/^key_\w+$/) as string,
    key: expect.stringMatching(/^pst_[0-9A-Za-z]{38}$/) as string,
    name: 't',
    plan: 'free',
    perMinute: 60,
    perDay: 1000,
  });
  const list = () => json<Record<string, unknown>[]>('keys list', own);
  const { id, key, ...shown } = created;
  expect(await list()).toMatchObject([{ id, ...shown, createdAt: expect.stringMatching(/Z$/) as string }]);
  expect(await json(`keys unban ${id}`, own)).toEqual({ id, banned: false });
  expect(await json(`keys revoke ${id}`, own)).toEqual({ id, revoked: true });
  expect((await list())[0]).toMatchObject({ id, revokedAt: expect.stringMatching(/Z$/) as string });
  const forPeople = await run('keys list', own);
  expect(forPeople.stdout).toContain(id);
  expect(forPeople.stdout + JSON.stringify(await list())).not.toContain(key);
});

test('orders are imported, listed with their status, and shipped', async () => {
  const own = { dataDir: newFolder() };
  const order = { id: 2, petId: 7, quantity: 0, complete: false };
  const input = `{"id":1}\n${JSON.stringify(order)}\n{"id":3,"status":"cancelled"}\n`;
  expect(await json('orders import -', { ...own, input })).toEqual({ imported: 3 });
  expect(await json('orders ship 2', own)).toEqual({ id: 2, status: 'shipped' });
  const again = await run('orders ship 2', own);
  expect([again.code, again.stdout]).toEqual([0, 'Order 2 is already shipped.\n']);
  await refusalOf(['orders', 'ship', '3'], own);
  expect(await json('orders list', own)).toEqual([
    { id: 1, status: 'pending' },
    { ...order, shipDate: expect.stringMatching(/Z$/) as string, status: 'shipped' },
    { id: 3, status: 'cancelled' },
  ]);
  expect(await json('orders list --status shipped', own)).toHaveLength(1);
  expect((await run('orders list --status pending', own)).stdout.trim()).toBe('1  pending');
});
