import { userInfo } from 'node:os';
import path from 'node:path';
import { operatorName, placeOfDatabase, readConfig, settings, unreadSettings } from '../src/config.ts';
import { OperatorError } from '../src/operator-error.ts';

const LOCAL = 'postgresql://user:password@host:5432/database';

/** Each variable with its setting, the default, a text and the value read from it, and rejected texts. */
const VARIABLES: [
  name: string,
  sets: string,
  without: unknown,
  text: string,
  value: unknown,
  wrong: string,
][] = [
  ['PORT', 'port', 3000, '8080', 8080, '65536|1e3|0x50| 80|-1|80.0'],
  ['HOST', 'host', '127.0.0.1', '0.0.0.0', '0.0.0.0', ''],
  ['DATA_DIR', 'dataDir', path.resolve('.data'), 'some/where', path.resolve('some/where'), ''],
  ['DATABASE_URL', 'databaseUrl', undefined, LOCAL, LOCAL, 'mysql://user:secret@host/database'],
  [
    'REDIS_URL',
    'redisUrl',
    undefined,
    'rediss://a:1/2',
    'rediss://a:1/2',
    // Texts that ioredis would misread, or throw at.
    'host:6379|redis:///run/redis.sock|redis://host:6379/first|redis://:100%secret@host|redis://one:1,redis://:secret@two:2',
  ],
  ['INSTANCES', 'instances', 1, '3', 3, '0'],
  ['LOG_LEVEL', 'logLevel', 'info', 'debug', 'debug', 'loud'],
  ['PUBLIC_URL', 'publicUrl', undefined, 'https://a.example', 'https://a.example', 'a.example'],
  [
    'CORS_ORIGINS',
    'corsOrigins',
    [],
    'https://shop.example, http://localhost:5173',
    ['https://shop.example', 'http://localhost:5173'],
    '*|shop.example|https://shop.example/|null|ftp://shop.example|https://a,',
  ],
  [
    'TRUST_PROXY',
    'trustProxy',
    [],
    '10.0.0.0/8,2001:db8::/32,127.0.0.1',
    ['10.0.0.0/8', '2001:db8::/32', '127.0.0.1'],
    'true|1|*|10.0.0.0/33|10.0.0.0/|::1/129|10.0.0.1,',
  ],
  ['BAN_SECONDS', 'banPolicy.duration', 900_000, '60', 60_000, '0'],
  ['BAN_REFUSAL_RATIO', 'banPolicy.refusalRatio', 1, '2', 2, '1.5'],
  ['SHUTDOWN_GRACE_SECONDS', 'shutdownGraceSeconds', 10, '0', 0, '-1'],
  ['SHUTDOWN_DELAY_SECONDS', 'shutdownDelaySeconds', 3, '2', 2, '1.5'],
  ['ADMIN_PORT', 'opsPort', undefined, '9090', 9090, '-1'],
  ['MAX_CONNECTIONS', 'maxConnections', 5000, '10', 10, 'many'],
];

const REFUSED = VARIABLES.flatMap(([name, , , , , wrong]) =>
  wrong === '' ? [] : wrong.split('|').map((text): [name: string, text: string] => [name, text]),
);

function mistakesIn(env: Record<string, string>): string {
  try {
    readConfig(env);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(OperatorError);
    return (error as OperatorError).message;
  }
}

test.each(VARIABLES)('%s sets %s, which is %j without it', (name, sets, fallback, text, value) => {
  for (const env of [{}, { [name]: '' }]) expect(readConfig(env)).toHaveProperty(sets, fallback);
  expect(readConfig({ [name]: text })).toHaveProperty(sets, value);
});

test('every setting has a variable', () => {
  const sets = new Set(VARIABLES.map(([, sets]) => sets.split('.', 1)[0]));
  expect(new Set(Object.keys(readConfig({})))).toEqual(sets.add('settings'));
  expect(Object.keys(settings).toSorted()).toEqual(VARIABLES.map(([name]) => name).toSorted());
});

test.each(REFUSED)('%s=%s is refused', (name, text) => {
  const message = mistakesIn({ [name]: text });
  expect(message).toContain(`${name} must be`);
  expect(message).not.toContain('secret');
});

test.each(Object.keys(settings))('the error of %s does not repeat a password or a long text', (name) => {
  for (const text of ['https://ada:secret@shop.example/', 'x,secret@shop', `secret${'x'.repeat(100)}`])
    expect(mistakesIn({ [name]: text })).not.toContain('secret');
});

test.each([
  ['DATABASE_URI', 'DATABASE_URL'],
  ['log_level', 'LOG_LEVEL'],
  ['PORTS', 'PORT'],
  ['CORS_ORIGIN', 'CORS_ORIGINS'],
])('warns that %s may be a misspelt %s, unless that is set', (name, meant) => {
  expect(unreadSettings({ [name]: 'x' })).toEqual([`${name} is not a setting: did you mean ${meant}?`]);
  expect(unreadSettings({ [name]: 'x', [meant]: 'y' })).toEqual([]);
});

test.each([
  'HOSTNAME',
  'PGPORT',
  'ADMIN_HOST',
  'DATABASE_URL_TEST',
  'A_PORT',
  'LIBRARY_SERVICE_PORT',
  'PATH',
])('%s causes no warning', (name) => {
  expect(unreadSettings({ [name]: 'x' })).toEqual([]);
});

test('a database is named by its host or the folder of its socket, without secrets', () => {
  expect(placeOfDatabase(LOCAL)).toBe('host:5432/database');
  expect(placeOfDatabase('postgresql:///shop?host=/run/postgresql&user=a')).toBe('/run/postgresql/shop');
});

test('an operator who used sudo keeps their name', () => {
  expect(operatorName({ SUDO_USER: 'ada' })).toBe('ada');
  expect(operatorName({})).toBe(userInfo().username);
});
