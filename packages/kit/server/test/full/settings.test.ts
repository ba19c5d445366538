import path from 'node:path';
import { redactorFor } from '../../src/command/redactor.ts';
import { readConfig } from '../../src/config.ts';
import { defineService } from '../../src/index.ts';
import {
  flag,
  integer,
  secret,
  text,
  url,
  type ServiceSettings,
  type SettingsOf,
} from '../../src/settings.ts';
import { commandsOf, newFolder, until } from '@contract-kit/test-support/testing';
import { createTestTools } from '../support/tools.ts';
import { contract } from '../library/contract.ts';
import { contractFrom } from '@contract-kit/test-support/contracts';
import { library } from '../library/library.ts';
import { libraryWithSettings, settings } from '../library/with-settings.ts';

const SECRET = 'sk "live" \\ 1234567';
const VALID = { PROVIDER_KEY: SECRET, SHOP_NAME: 'Books' };

const main = path.join(import.meta.dirname, '../library/with-settings.ts');
const command = commandsOf('library', ['--import', 'tsx', main]);

const valuesIn = (env: Record<string, string>, own: ServiceSettings = settings) =>
  readConfig(env, own).settings;

test('settings have typed values, with defaults', () => {
  const expected: SettingsOf<typeof settings> = {
    PROVIDER_KEY: SECRET,
    REMINDER_DAYS: 14,
    WEBHOOK_URL: undefined,
    SHOP_NAME: 'Books',
    SEND_MAILS: false,
  };
  expect(valuesIn(VALID)).toEqual(expected);
  const given = { REMINDER_DAYS: '30', WEBHOOK_URL: 'https://shop.example/hook', SEND_MAILS: 'true' };
  expect(valuesIn({ ...VALID, ...given })).toEqual({
    ...expected,
    ...given,
    REMINDER_DAYS: 30,
    SEND_MAILS: true,
  });
  // @ts-expect-error -- an optional setting may be undefined.
  const hook: string = expected.WEBHOOK_URL;
  expect(hook).toBeUndefined();
});

test.each<[own: ServiceSettings, texts: string[], want: string]>([
  [{ A: integer({ min: 1, max: 90 }) }, ['0', '91', '1.5', '1e1', ' 5', '-0'], 'a whole number from 1 to 90'],
  [{ A: url() }, ['shop', '/hook'], 'a URL such as https://example.com'],
  [{ A: flag() }, ['yes', '1', 'TRUE', 'toString'], '`true` or `false`'],
  [{ A: secret() }, ['short'], 'a text of at least 8 characters'],
])('a setting rejects other texts: %j', (own, texts, want) => {
  for (const value of texts) expect(() => valuesIn({ A: value }, own)).toThrow(`A must be ${want}`);
});

test('an integer of the settings may be negative', () => {
  expect(valuesIn({ A: '-5' }, { A: integer({ min: -10, max: 0 }) })).toEqual({ A: -5 });
});

test('everything that is wrong with the settings is one message, without secrets', async () => {
  const env = { PORT: 'x', PROVIDER_KEY: 'hush', REMINDER_DAYS: '100', SEND_MAILS: 'maybe' };
  const { code, stdout, stderr } = await command.run(['serve'], { dataDir: newFolder(), env });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toBe(
    'library: bad configuration: PORT must be a whole number from 0 to 65535, not "x"; ' +
      'PROVIDER_KEY must be a text of at least 8 characters; ' +
      'REMINDER_DAYS must be a whole number from 1 to 90, not "100"; ' +
      'SHOP_NAME is missing: it must be a text; SEND_MAILS must be `true` or `false`, not "maybe"\n',
  );
});

test.each([['--help'], ['serve', '--help']])('settings are in the help: %s %s', async (...args) => {
  const { stdout } = await command.run(args, { dataDir: newFolder() });
  expect(stdout).toMatch(/PROVIDER_KEY +key of the payment provider \(required\)/);
  expect(stdout).toMatch(/REMINDER_DAYS +days until a reminder \(default: 14\)/);
  expect(stdout).toMatch(/WEBHOOK_URL +gets each loan \(optional\)/);
});

test('the log has neither secrets nor API keys, whatever a handler logs or throws', async () => {
  const dataDir = newFolder();
  const options = { dataDir, env: { ...VALID, LOG_LEVEL: 'info' } };
  const { key } = await command.json<{ key: string }>(
    ['keys', 'create', '--plan', 'free', '--name', 'a'],
    options,
  );
  const { origin, output, kill } = await command.serve(options);
  const credentials = {
    authorization: `Bearer ${key}`,
    'proxy-authorization': `Basic ${btoa(`ada:${key}`)}`,
    cookie: 'session="of ] ada"',
  };
  const response = await fetch(`${origin}/v1/loans`, { headers: { ...credentials, 'x-tenant': 'north' } });
  expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining('sk ')]);
  await until(() => output.stdout.includes('the provider rejects'));
  await kill('SIGTERM');
  const lines = output.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { values?: object; headers?: object });
  const everything = lines.find(({ values }) => values);
  expect(everything?.values).toMatchObject({ PROVIDER_KEY: '[secret]' });
  const hidden = Object.fromEntries(Object.keys(credentials).map((name) => [name, '[secret]']));
  expect(everything?.headers).toMatchObject({ ...hidden, 'x-tenant': 'north' });
  const all = JSON.stringify(lines) + output.stderr;
  expect(all).not.toContain(key);
  expect(all).not.toContain('1234567');
});

test('the log has no credential in a query, whatever its form', () => {
  const keyed = contractFrom(`openapi: 3.1.0
info: { title: Shop, version: '1' }
security: [{ key: [] }]
paths: { /a: { get: { responses: { '204': { description: Done. } } } } }
components: { securitySchemes: { key: { type: apiKey, in: query, name: api.key } } }
`);
  const { redactLine } = redactorFor({ contract: keyed });
  const url = (query: string) => JSON.stringify({ url: `/a?${query}` });
  expect(redactLine(url('b=1&API.key=a.token&c=2'))).toBe(url('b=1&API.key=[secret]&c=2'));
  expect(redactLine(url('apixkey=a.token'))).toBe(url('apixkey=a.token'));
});

test('a command reads the settings when it uses them, and shows no secret when it crashes', async () => {
  const dataDir = newFolder();
  const run = (name: string, env: Record<string, string>) => command.run([name], { dataDir, env });
  expect((await run('reminders', {})).stderr).toMatch(/^library: bad configuration: PROVIDER_KEY is missing/);
  expect(JSON.parse((await run('reminders', VALID)).stdout)).toMatchObject({ REMINDER_DAYS: 14 });
  const keys = await command.run(['keys', 'list'], { dataDir });
  expect(keys.code).toBe(0);
  const crashed = await run('crash', VALID);
  expect(crashed.stderr).toContain('the provider rejects [secret]');
});

test('a setting that is probably misspelt causes a warning', async () => {
  const { output, kill } = await command.serve({
    dataDir: newFolder(),
    env: { ...VALID, REMINDER_DAY: '3', LOG_LEVEL: 'info' },
  });
  await until(() => output.stdout.includes('did you mean REMINDER_DAYS?'));
  await kill('SIGTERM');
});

test('tests pass values of settings instead of an environment', async () => {
  const tools = createTestTools(libraryWithSettings);
  await expect(tools.startTestService()).rejects.toThrow('PROVIDER_KEY is missing');
  const service = await tools.startTestService({ settings: { PROVIDER_KEY: 'a test', SHOP_NAME: 'Test' } });
  const key = await service.key();
  await service.request('/v1/loans', { key });
  expect(service.logged.find(({ msg }) => msg === 'everything')).toMatchObject({
    values: { PROVIDER_KEY: 'a test', REMINDER_DAYS: 14 },
  });
});

test.each(['PORT', 'reminders', '3D'])('a setting cannot be named %s', (name) => {
  const rest = { version: '1.0.0', description: 'A library.', settings: { [name]: text() } };
  expect(() => defineService(contract, library.features, rest)).toThrow(
    `the setting ${name} needs another name`,
  );
});
