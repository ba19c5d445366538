import path from 'node:path';
import { readConfig } from '../src/config.ts';
import { SetupError } from '../src/setup-error.ts';

function mistakesIn(env: Record<string, string>): string {
  try {
    readConfig(env);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(SetupError);
    return (error as SetupError).message;
  }
}

test('without any variable there is a sensible configuration, open to this machine alone', () => {
  expect(readConfig({})).toEqual({
    port: 3000,
    host: '127.0.0.1',
    dataDir: path.resolve('.data'),
    databaseUrl: undefined,
    redisUrls: [],
    instances: 1,
    logLevel: 'info',
    publicUrl: undefined,
    corsOrigins: [],
    trustProxy: [],
    banSeconds: 900,
    banRefusalRatio: 1,
    shutdownGraceSeconds: 10,
    shutdownDelaySeconds: 3,
    adminPort: undefined,
    maxConnections: 5000,
    overloadDelayMs: 500,
  });
});

test('a variable that is empty is as good as none', () => {
  expect(readConfig({ PORT: '', CORS_ORIGINS: '', DATABASE_URL: '' })).toEqual(readConfig({}));
});

test('every variable is read', () => {
  const config = readConfig({
    PORT: '8080',
    HOST: '0.0.0.0',
    DATA_DIR: 'somewhere/else',
    DATABASE_URL: 'postgresql://user:password@host:5432/database',
    REDIS_URL: 'redis://one:6379,rediss://two:6379',
    INSTANCES: '3',
    LOG_LEVEL: 'debug',
    PUBLIC_URL: 'https://api.petstore.example',
    CORS_ORIGINS: 'https://shop.example, http://localhost:5173',
    TRUST_PROXY: '10.0.0.0/8,2001:db8::/32,127.0.0.1',
    BAN_SECONDS: '60',
    BAN_REFUSAL_RATIO: '2',
    SHUTDOWN_GRACE_SECONDS: '0',
    SHUTDOWN_DELAY_SECONDS: '2',
    ADMIN_PORT: '9090',
    MAX_CONNECTIONS: '10',
    OVERLOAD_DELAY_MS: '0',
  });
  expect(config).toEqual({
    port: 8080,
    host: '0.0.0.0',
    dataDir: path.resolve('somewhere/else'),
    databaseUrl: 'postgresql://user:password@host:5432/database',
    redisUrls: ['redis://one:6379', 'rediss://two:6379'],
    instances: 3,
    logLevel: 'debug',
    publicUrl: 'https://api.petstore.example',
    corsOrigins: ['https://shop.example', 'http://localhost:5173'],
    trustProxy: ['10.0.0.0/8', '2001:db8::/32', '127.0.0.1'],
    banSeconds: 60,
    banRefusalRatio: 2,
    shutdownGraceSeconds: 0,
    shutdownDelaySeconds: 2,
    adminPort: 9090,
    maxConnections: 10,
    overloadDelayMs: 0,
  });
});

test('every variable that is wrong is named at once, with what it must be and what it is', () => {
  const wrong = {
    PORT: '70000',
    LOG_LEVEL: 'loud',
    CORS_ORIGINS: '*',
    TRUST_PROXY: 'true',
    BAN_SECONDS: '0',
    BAN_REFUSAL_RATIO: '1.5',
    SHUTDOWN_GRACE_SECONDS: '-1',
    SHUTDOWN_DELAY_SECONDS: '1.5',
    ADMIN_PORT: '-1',
    MAX_CONNECTIONS: 'many',
    OVERLOAD_DELAY_MS: '60001',
    DATABASE_URL: 'mysql://user:secret@host/database',
    REDIS_URL: 'host:6379',
    INSTANCES: '0',
  };
  const message = mistakesIn(wrong);
  for (const name of Object.keys(wrong)) expect(message).toContain(`${name} `);
  expect(message).toContain('PORT must be a whole number from 0 to 65535, not "70000"');
  expect(message.split('\n')).toHaveLength(1);
  expect(message).not.toContain('secret');
});

test.each(['1e3', '0x50', ' 80', '80 ', '+80', '-1', '80.0', '65536', 'NaN', '8o'])(
  'PORT=%s is refused',
  (port) => {
    expect(mistakesIn({ PORT: port })).toContain('PORT must be');
  },
);

test.each([
  '*',
  'shop.example',
  'https://shop.example/',
  'https://shop.example/a',
  'null',
  'ftp://shop.example',
  'https://a,',
])('CORS_ORIGINS=%s is refused', (origins) => {
  expect(mistakesIn({ CORS_ORIGINS: origins })).toContain('CORS_ORIGINS must be');
});

test.each([
  'redis:host:6379',
  'redis:///run/redis.sock',
  'redis://host:6379/first',
  'redis://:100%secret@host:6379',
  'redis://one:6379,redis://:secret%@two:6379',
])('REDIS_URL=%s is refused, which ioredis would read as something else or throw at', (urls) => {
  const message = mistakesIn({ REDIS_URL: urls });
  expect(message).toContain('REDIS_URL must be a URL such as redis://host:6379');
  expect(message).not.toContain('secret');
});

test.each(['true', '1', 'loopback', '*', '10.0.0.0/33', '10.0.0.0/', '::1/129', '10.0.0/8', '10.0.0.1,'])(
  'TRUST_PROXY=%s is refused: only addresses that somebody wrote down are believed',
  (proxies) => {
    expect(mistakesIn({ TRUST_PROXY: proxies })).toContain('TRUST_PROXY must be');
  },
);
