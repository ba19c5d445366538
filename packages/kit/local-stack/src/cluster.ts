import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { startNginx } from './nginx.ts';
import { startPostgresServer } from './postgres.ts';
import { freePorts, startProgram, untilReady, type Program } from './program.ts';
import { startRedisServer } from './redis.ts';

export interface Part {
  readonly name: string;
  readonly layer: (typeof layers)[number];
  /** Where it listens. */
  readonly url: string;
  readonly program: Program;
}

/** What stops at once, in this order: the instances no longer need what is before them, and need what is behind. */
const layers = ['entry', 'instances', 'stores'] as const;

/** Runs the command with `--json` on the database of the cluster, and returns its output. */
export type RunCommand = (args: readonly string[], input?: string) => string;

export interface ClusterOptions {
  /** The command of the service: a script that Node.js runs. */
  readonly command: string;
  /** Adds data to the empty database with the command, and returns a key. */
  readonly fill: (run: RunCommand) => string;
  /** An empty one, where everything is kept. It is thrown away afterwards. */
  readonly folder: string;
  readonly instances: number;
  /** Called with each part that is started. */
  readonly onPart: (part: Part) => void;
  /** Once aborted, nothing more is started. */
  readonly signal: AbortSignal;
}

export interface Cluster {
  readonly entry: string;
  readonly databaseUrl: string;
  /** The key that `fill` returned. */
  readonly key: string;
}

/** Starts all parts on loopback ports. Throws the reason of `signal`, or an error with what a part said last. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { command, fill, folder, onPart, signal } = options;
  // PostgreSQL and the workers of nginx are other users where this one is root, and have folders of their own below.
  chmodSync(folder, 0o711);
  mkdirSync(logsIn(folder), { recursive: true, mode: 0o700 });
  const [postgresPort = 0, redisPort = 0, entryPort = 0, ...ports] = await freePorts(3 + options.instances);
  const entry = `http://127.0.0.1:${entryPort}`;
  const databaseUrl = `postgresql://postgres@127.0.0.1:${postgresPort}/postgres`;
  const redisUrl = `redis://127.0.0.1:${redisPort}`;
  const at = (name: string) => ({
    folder: path.join(folder, name.toLowerCase()),
    log: logOf(folder, name),
    detached: true,
  });

  async function starting<Result>(name: string, start: () => Result | Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    try {
      return await start();
    } catch (cause) {
      const why = `${(cause as Error).message}${lastWords(folder, name)}`;
      throw new Error(`${name} could not be started: ${why}`, { cause });
    }
  }
  async function startPart(layer: Part['layer'], name: string, url: string, start: () => Promise<Program>) {
    onPart({ layer, name, url, program: await starting(name, start) });
  }

  await startPart('stores', 'PostgreSQL', databaseUrl, () =>
    startPostgresServer({
      ...at('PostgreSQL'),
      port: postgresPort,
      // Each instance takes up to ten; the rest is for commands and the operator.
      maxConnections: 20 + 10 * options.instances,
      isThrownAway: true,
    }),
  );
  const run: RunCommand = (args, input = '') =>
    execFileSync(process.execPath, [command, ...args, '--json'], {
      env: { ...process.env, DATABASE_URL: databaseUrl },
      encoding: 'utf8',
      input,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  const key = await starting('PostgreSQL', () => fill(run));

  // Counters and bans survive a restart, and are never forgotten to make room: without room, instances limit alone.
  const settings = ['--appendonly', 'yes', '--maxmemory-policy', 'noeviction'];
  await startPart('stores', 'Redis', redisUrl, () =>
    startRedisServer({ ...at('Redis'), port: redisPort, settings }),
  );

  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    INSTANCES: String(options.instances),
    TRUST_PROXY: '127.0.0.1',
    PUBLIC_URL: entry,
    HOST: '127.0.0.1',
  };
  const underway = ports.map((port, index) => {
    const name = `instance ${index + 1}`;
    const url = `http://127.0.0.1:${port}`;
    return startPart('instances', name, url, async () => {
      const args = [command, 'serve', '--port', String(port)];
      const program = startProgram(process.execPath, args, { env, log: logOf(folder, name), detached: true });
      const isServing = async () => (await fetch(`${url}/readyz`)).ok;
      await untilReady(program, () => isServing().catch(() => false));
      return program;
    });
  });
  // All of them, so that none is being started when the others are stopped.
  await Promise.allSettled(underway);
  await Promise.all(underway);

  await startPart('entry', 'nginx', entry, () =>
    startNginx({ ...at('nginx'), port: entryPort, instances: ports }),
  );
  signal.throwIfAborted();
  return { entry, databaseUrl, key };
}

/** Lets each part finish what it is at, as long as that does not take too long. */
export async function stopCluster(parts: readonly Part[]): Promise<void> {
  for (const layer of layers) {
    const ending = parts.filter((part) => part.layer === layer);
    await Promise.all(ending.map(({ program }) => program.end()));
  }
}

export const logsIn = (folder: string): string => path.join(folder, 'logs');

function logOf(folder: string, name: string): string {
  return path.join(logsIn(folder), `${name.toLowerCase().replace(' ', '-')}.log`);
}

/** The end of a part's log. */
export function lastWords(folder: string, name: string): string {
  const file = logOf(folder, name);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').slice(-10) : [];
  return lines
    .filter((line) => line !== '')
    .map((line) => `\n  ${line}`)
    .join('');
}
