import { isNearName } from '@contract-kit/core/json';
import { STANDARD_BAN } from '@contract-kit/core/limits';
import net from 'node:net';
import { userInfo } from 'node:os';
import path from 'node:path';
import { ConfigError } from './operator-error.ts';
import {
  readSetting,
  wholeNumber,
  type Environment,
  type ServiceSettings,
  type Setting,
} from './settings.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Every environment variable that any service reads. */
export const settings = {
  PORT: { ...wholeNumber(0, 65_535), fallback: '3000' },
  HOST: {
    parse: (text: string) => text,
    want: 'an address',
    fallback: '127.0.0.1',
  },
  DATA_DIR: {
    parse: (text: string) => path.resolve(text),
    want: 'a folder',
    fallback: '.data',
  },
  DATABASE_URL: {
    parse: urlWith('postgres:', 'postgresql:'),
    want: 'a URL such as postgresql://user:password@host:5432/database',
  },
  REDIS_URL: {
    parse: redisUrl,
    want: 'the URL of one Redis or Valkey, such as redis://host:6379; Redis Cluster is no longer supported',
  },
  INSTANCES: { ...wholeNumber(1, 10_000), fallback: '1' },
  PUBLIC_URL: {
    parse: origin,
    want: 'an origin such as https://api.example.com, with nothing after it',
  },
  LOG_LEVEL: {
    parse: (text: string) => LOG_LEVELS.find((level) => level === text),
    want: LOG_LEVELS.join(', '),
    fallback: 'info',
  },
  CORS_ORIGINS: {
    parse: listOf(origin),
    want: 'a list of origins such as https://shop.example, with nothing after them, separated by commas',
    fallback: '',
  },
  TRUST_PROXY: {
    parse: listOf(addressOrCidr),
    want: 'a list of IP addresses or CIDRs, separated by commas',
    fallback: '',
  },
  BAN_SECONDS: {
    ...wholeNumber(1, 31_536_000),
    fallback: String(STANDARD_BAN.duration / 1000),
  },
  BAN_REFUSAL_RATIO: {
    ...wholeNumber(1, 1_000_000),
    fallback: String(STANDARD_BAN.refusalRatio),
  },
  SHUTDOWN_GRACE_SECONDS: { ...wholeNumber(0, 3_600), fallback: '10' },
  SHUTDOWN_DELAY_SECONDS: { ...wholeNumber(0, 3_600), fallback: '3' },
  ADMIN_PORT: wholeNumber(0, 65_535),
  MAX_CONNECTIONS: { ...wholeNumber(1, 1_000_000), fallback: '5000' },
} as const satisfies Record<string, Setting>;

type Settings = typeof settings;
type ValueOf<Of extends Setting> =
  NonNullable<ReturnType<Of['parse']>> | (Of extends { fallback: string } ? never : undefined);

/** What each setting means, in Markdown. `npm run generate` prints docs/configuration.md from it. */
export const meanings: Readonly<Record<keyof Settings, string>> = {
  PORT: 'port to listen on; `--port` wins',
  HOST: 'address to listen on; `--host` wins',
  DATA_DIR: 'folder of the embedded database; one process serves it at a time',
  DATABASE_URL: '`postgresql://…`: keep everything there instead of in `DATA_DIR`',
  REDIS_URL: '`redis://…` or `rediss://…`: share limits and bans between instances',
  INSTANCES: 'instances that share the limits; each grants its part of a quota while Redis is down',
  PUBLIC_URL: 'address that clients use, such as `https://api.example.com`; by default that of each request',
  LOG_LEVEL: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`',
  CORS_ORIGINS: 'origins that browsers may call from, separated by commas',
  TRUST_PROXY: 'addresses or CIDRs of proxies whose `X-Forwarded-For` is believed',
  BAN_SECONDS: 'length of a ban',
  BAN_REFUSAL_RATIO: 'refusals within a minute that ban a key, as a multiple of its quota per minute',
  SHUTDOWN_GRACE_SECONDS: 'how long a stop waits for requests under way',
  SHUTDOWN_DELAY_SECONDS: 'how much of that time SIGTERM only makes `/readyz` fail, so that balancers notice',
  ADMIN_PORT: 'separate port for `/healthz`, `/readyz` and `/metrics`, which client connections cannot fill',
  MAX_CONNECTIONS: 'connections served at once; further ones get 503',
};

/** Throws if a name is no variable's, or belongs to a setting that every service has. */
export function checkSettingNames(own: ServiceSettings = {}): void {
  for (const name of Object.keys(own))
    if (!/^[A-Z][A-Z0-9_]*$/.test(name) || Object.hasOwn(settings, name))
      throw new Error(
        `the setting ${name} needs another name: in capitals, and not one of docs/configuration.md`,
      );
}

/** The values of secret settings in `env`. */
export function secretsIn(own: ServiceSettings = {}, env: Environment = process.env): string[] {
  return Object.entries(own).flatMap(([name, { isSecret }]) => (isSecret && env[name] ? [env[name]] : []));
}

/** How the service is set up. Every value comes from one environment variable. */
export type Config = Readonly<ReturnType<typeof readConfig>>;

/** Reads the configuration. Throws one ConfigError that names every variable that is wrong, also of `own` settings. */
export function readConfig(env: Environment = process.env, own: ServiceSettings = {}) {
  const mistakes: string[] = [];
  const read = <Name extends keyof Settings>(name: Name) =>
    readSetting(name, settings[name], env, mistakes) as ValueOf<Settings[Name]>;

  const config = {
    port: read('PORT'),
    host: read('HOST'),
    dataDir: read('DATA_DIR'),
    databaseUrl: read('DATABASE_URL'),
    redisUrl: read('REDIS_URL'),
    instances: read('INSTANCES'),
    publicUrl: read('PUBLIC_URL'),
    logLevel: read('LOG_LEVEL'),
    corsOrigins: read('CORS_ORIGINS'),
    trustProxy: read('TRUST_PROXY'),
    banPolicy: { refusalRatio: read('BAN_REFUSAL_RATIO'), duration: read('BAN_SECONDS') * 1000 },
    shutdownGraceSeconds: read('SHUTDOWN_GRACE_SECONDS'),
    shutdownDelaySeconds: read('SHUTDOWN_DELAY_SECONDS'),
    opsPort: read('ADMIN_PORT'),
    maxConnections: read('MAX_CONNECTIONS'),
    /** The values of the settings that only this service has. */
    settings: Object.fromEntries(
      Object.entries(own).map(([name, setting]) => [name, readSetting(name, setting, env, mistakes)]),
    ),
  };
  if (mistakes.length > 0) throw new ConfigError(`bad configuration: ${mistakes.join('; ')}`);
  return config;
}

/**
 * Warnings for variables in `env` that are probably a misspelt unset one. A name made of ours and further words, such as
 * DATABASE_URL_TEST, belongs to another program.
 */
export function unreadSettings(env: Environment = process.env, own: ServiceSettings = {}): string[] {
  const known = [...Object.keys(settings), ...Object.keys(own)];
  const isNear = (name: string, meant: string) =>
    !name.startsWith(`${meant}_`) && !name.endsWith(`_${meant}`) && isNearName(name, meant);
  const unset = known.filter((name) => !env[name]);
  return Object.keys(env)
    .filter((name) => !known.includes(name))
    .flatMap((name) =>
      unset
        .filter((meant) => isNear(name, meant))
        .map((meant) => `${name} is not a setting: did you mean ${meant}?`),
    );
}

/** Makes SQLite keep temporary files, such as those of an import, in `dataDir`, which is large enough. */
export function keepTemporaryFilesIn(dataDir: string): void {
  process.env['SQLITE_TMPDIR'] ||= dataDir;
}

/** The name of the operator: the user before sudo, otherwise the current user. */
export function operatorName(env: Environment = process.env): string {
  if (env['SUDO_USER']) return env['SUDO_USER'];
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user without a name.
    return `uid ${process.getuid?.()}`;
  }
}

/** Whether a shell such as bash, which sets `_` to the command, started this process with `nohup`. */
export function isRunByNohup(env: Environment = process.env): boolean {
  return path.basename(env['_'] ?? '') === 'nohup';
}

/** The place of the database at `url` without secrets: its host, or the folder of a socket, and its name. */
export function placeOfDatabase(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return decodeURIComponent(host || (searchParams.get('host') ?? '')) + pathname;
}

function listOf(parse: (entry: string) => string | undefined) {
  return (text: string): readonly string[] | undefined => {
    const entries = text === '' ? [] : text.split(',').map((entry) => parse(entry.trim()));
    return entries.every((entry) => entry !== undefined) ? entries : undefined;
  };
}

function urlWith(...protocols: readonly string[]): (text: string) => string | undefined {
  return (text) => (URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : undefined);
}

/** Requires one host, because ioredis falls back to the local Redis, and credentials that it can decode. */
function redisUrl(text: string): string | undefined {
  try {
    const { protocol, host, pathname, username, password } = new URL(text);
    decodeURIComponent(username + password);
    const isRedis =
      ['redis:', 'rediss:'].includes(protocol) && /^[^,]+$/.test(host) && /^\/?\d*$/.test(pathname);
    return isRedis ? text : undefined;
  } catch {
    return undefined;
  }
}

function origin(text: string): string | undefined {
  const url = urlWith('http:', 'https:')(text);
  return url !== undefined && new URL(url).origin === url ? url : undefined;
}

function addressOrCidr(text: string): string | undefined {
  const [address = '', bits, ...rest] = text.split('/');
  const family = net.isIP(address);
  if (family === 0 || rest.length > 0) return undefined;
  if (bits === undefined) return text;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128) ? text : undefined;
}
