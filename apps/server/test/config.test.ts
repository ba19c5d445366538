import path from 'node:path';
import { readConfig } from '../src/config.ts';
import { SetupError } from '../src/setup-error.ts';

const LOCAL = 'postgresql://user:password@host:5432/database';

/** Each variable and what it sets: what that is without it, a text and what is read from it, and what is refused. */
const VARIABLES: [
  name: string,
  sets: string,
  fallback: unknown,
  text: string,
  value: unknown,
  wrong: string,
][] = [
  ['PORT', 'port', 3000, '8080', 8080, '70000|65536|1e3|0x50| 80|80 |+80|-1|80.0|NaN|8o'],
  ['HOST', 'host', '127.0.0.1', '0.0.0.0', '0.0.0.0', ''],
  ['DATA_DIR', 'dataDir', path.resolve('.data'), 'some/where', path.resolve('some/where'), ''],
  ['DATABASE_URL', 'databaseUrl', undefined, LOCAL, LOCAL, 'mysql://user:secret@host/database'],
  [
    'REDIS_URL',
    'redisUrls',
    [],
    'redis://a:1,rediss://b',
    ['redis://a:1', 'rediss://b'],
    // What ioredis would read as something else, or throw at.
    'host:6379|redis:host:6379|redis:///run/redis.sock|redis://host:6379/first|redis://:100%secret@host:6379|' +
      'redis://one:6379,redis://:secret%@two:6379|redis://one:6379,redis://two:6379/2',
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
    '*|shop.example|https://shop.example/|https://shop.example/a|null|ftp://shop.example|https://a,',
  ],
  [
    'TRUST_PROXY',
    'trustProxy',
    [],
    '10.0.0.0/8,2001:db8::/32,127.0.0.1',
    ['10.0.0.0/8', '2001:db8::/32', '127.0.0.1'],
    'true|1|loopback|*|10.0.0.0/33|10.0.0.0/|::1/129|10.0.0/8|10.0.0.1,',
  ],
  ['BAN_SECONDS', 'banPolicy.duration', 900_000, '60', 60_000, '0'],
  ['BAN_REFUSAL_RATIO', 'banPolicy.refusalRatio', 1, '2', 2, '1.5'],
  ['SHUTDOWN_GRACE_SECONDS', 'shutdownGraceSeconds', 10, '0', 0, '-1'],
  ['SHUTDOWN_DELAY_SECONDS', 'shutdownDelaySeconds', 3, '2', 2, '1.5'],
  ['ADMIN_PORT', 'adminPort', undefined, '9090', 9090, '-1'],
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
    expect(error).toBeInstanceOf(SetupError);
    return (error as SetupError).message;
  }
}

test.each(VARIABLES)('%s sets %s, which is %j without it', (name, sets, fallback, text, value) => {
  for (const env of [{}, { [name]: '' }]) expect(readConfig(env)).toHaveProperty(sets, fallback);
  expect(readConfig({ [name]: text })).toHaveProperty(sets, value);
});

test('there is no setting without a variable', () => {
  const settings = new Set(VARIABLES.map(([, sets]) => sets.split('.', 1)[0]));
  expect(new Set(Object.keys(readConfig({})))).toEqual(settings);
});

test.each(REFUSED)('%s=%s is refused', (name, text) => {
  const message = mistakesIn({ [name]: text });
  expect(message).toContain(`${name} must be`);
  expect(message).not.toContain('secret');
});
