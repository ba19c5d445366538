import { STANDARD_BAN } from '@petstore/contract/service';
import net from 'node:net';
import { userInfo } from 'node:os';
import path from 'node:path';
import { WrongSetting } from './setup-error.ts';

/** How the service is set up. Every value comes from one environment variable, named in the README. */
export type Config = Readonly<ReturnType<typeof readConfig>>;

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Lets SQLite put what it cannot keep in memory, such as a long import, into `dataDir`: of all folders that one can surely
 * be written to, and is large enough. It asks the environment when it is first used.
 */
export function keepTemporaryFilesIn(dataDir: string): void {
  process.env['SQLITE_TMPDIR'] ||= dataDir;
}

/** Who gives a command: whoever has become the user of the service by sudo, under the name of before. */
export function operatorName(env: Environment = process.env): string {
  if (env['SUDO_USER']) return env['SUDO_USER'];
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user that has no name in it.
    return `uid ${process.getuid?.()}`;
  }
}

/** Reads the configuration. Throws one WrongSetting that names every variable that is wrong. */
export function readConfig(env: Environment = process.env) {
  const mistakes: string[] = [];

  /** What `parse` makes of a variable, which is `want`; undefined where it is not set. */
  const read = <Value>(name: string, parse: (text: string) => Value | undefined, want: string) => {
    const text = env[name];
    if (!text) return undefined;
    const value = parse(text);
    if (value === undefined)
      mistakes.push(`${name} must be ${want}${name.endsWith('_URL') ? '' : `, not ${JSON.stringify(text)}`}`);
    return value;
  };
  const integer = (name: string, min: number, max: number) =>
    read(name, wholeNumberIn(min, max), `a whole number from ${min} to ${max}`);
  const list = (name: string, parse: (entry: string, count: number) => string | undefined, want: string) => {
    const parseAll = (text: string) => {
      const entries = text.split(',').map((entry, _, all) => parse(entry.trim(), all.length));
      return entries.every((entry) => entry !== undefined) ? entries : undefined;
    };
    return read<readonly string[]>(name, parseAll, want) ?? [];
  };

  const config = {
    port: integer('PORT', 0, 65535) ?? 3000,
    host: env['HOST'] || '127.0.0.1',
    dataDir: path.resolve(env['DATA_DIR'] || '.data'),
    /** Where PostgreSQL is; without it the embedded database in `dataDir` is used. */
    databaseUrl: read(
      'DATABASE_URL',
      urlWith('postgres:', 'postgresql:'),
      'a URL such as postgresql://user:password@host:5432/database',
    ),
    /** Where Redis or Valkey is, or several nodes of a cluster; without it limits are counted in this process. */
    redisUrls: list(
      'REDIS_URL',
      redisUrl,
      'a URL such as redis://host:6379, or several of a cluster, which has no numbered databases',
    ),
    /** How many instances share the limits: each grants its part of a quota while Redis does not answer. */
    instances: integer('INSTANCES', 1, 10_000) ?? 1,
    logLevel:
      read('LOG_LEVEL', (text) => logLevels.find((level) => level === text), logLevels.join(', ')) ?? 'info',
    /** The origin that consumers reach the service at, as the documents name it; where undefined, each request does. */
    publicUrl: read(
      'PUBLIC_URL',
      origin,
      'an origin such as https://api.petstore.example, with nothing after it',
    ),
    corsOrigins: list(
      'CORS_ORIGINS',
      origin,
      'a list of origins such as https://shop.example, with nothing after them, separated by commas',
    ),
    trustProxy: list('TRUST_PROXY', addressOrCidr, 'a list of IP addresses or CIDRs, separated by commas'),
    /** When keys are banned, and for how long. */
    banPolicy: {
      refusalRatio: integer('BAN_REFUSAL_RATIO', 1, 1_000_000) ?? STANDARD_BAN.refusalRatio,
      duration: (integer('BAN_SECONDS', 1, 31_536_000) ?? STANDARD_BAN.duration / 1000) * 1000,
    },
    /** How long a stop waits for requests under way. */
    shutdownGraceSeconds: integer('SHUTDOWN_GRACE_SECONDS', 0, 3_600) ?? 10,
    /** How much of that it goes on as before, but not ready, after SIGTERM. */
    shutdownDelaySeconds: integer('SHUTDOWN_DELAY_SECONDS', 0, 3_600) ?? 3,
    /** Where health and metrics are, instead of beside the API; undefined keeps them there. */
    adminPort: integer('ADMIN_PORT', 0, 65535),
    maxConnections: integer('MAX_CONNECTIONS', 1, 1_000_000) ?? 5_000,
  };
  if (mistakes.length > 0) throw new WrongSetting(`bad configuration: ${mistakes.join('; ')}`);
  return config;
}

/** Where the database at `url` is, for people: its host, or the folder of a socket, and its name. Nothing secret. */
export function placeOfDatabase(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return decodeURIComponent(host || (searchParams.get('host') ?? '')) + pathname;
}

/** Reads decimal digits alone: `1e3`, `0x10` and ` 80` are no numbers here. */
export function wholeNumberIn(min: number, max: number): (text: string) => number | undefined {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };
}

function urlWith(...protocols: readonly string[]): (text: string) => string | undefined {
  return (text) => (URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : undefined);
}

/**
 * With a host, as ioredis takes the Redis of this machine otherwise, with credentials that it can decode, and with the
 * number of a database only where it is the one URL: in a cluster ioredis passes that over.
 */
function redisUrl(text: string, count: number): string | undefined {
  try {
    const { protocol, host, pathname, username, password } = new URL(text);
    decodeURIComponent(username + password);
    const isRedis =
      ['redis:', 'rediss:'].includes(protocol) &&
      host !== '' &&
      (count > 1 ? /^\/?0*$/ : /^\/?\d*$/).test(pathname);
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
