import { constants, readFileSync } from 'node:fs';
import { basePath } from '@petstore/contract';
import { isRunByNohup, misspeltSettings, placeOfDatabase, readConfig, type Config } from '../config.ts';
import { createLog, type ServiceLog } from './log.ts';
import { SetupError, WrongSetting } from '../setup-error.ts';
import { demoKey, seedDemoData } from '../store/demo.ts';
import { version } from '../version.ts';
import { startService, type Service } from '../service.ts';

/** The bits of a file's flags that say whether it is read, written, or both. */
const ACCESS_MODE = 3;
/** How long the process may stay for its last output after it has stopped, in milliseconds. */
const LAST_PATIENCE = 2_000;

export interface ServeOptions {
  readonly port?: number;
  readonly host?: string;
  /** Fills an empty embedded store, and prints a key. */
  readonly demo?: boolean;
  readonly checkReplies?: boolean;
}

/** Runs the service until a signal tells it to stop. */
export async function serve({ demo = false, checkReplies = false, ...address }: ServeOptions): Promise<void> {
  const config = { ...readConfig(), ...address };
  if (demo && config.databaseUrl !== undefined) {
    throw new SetupError(
      '--demo fills the embedded store alone, never PostgreSQL: serve without it, or without DATABASE_URL',
    );
  }
  if (config.adminPort === config.port && config.port !== 0)
    throw new WrongSetting('bad configuration: ADMIN_PORT must be another port than that of the API');
  const { log, writeLine, print } = await createLog(config);
  for (const [name, meant] of misspeltSettings())
    log.warn(`${name} is not a setting: did you mean ${meant}?`);
  const { maxConnections } = config;
  const openFiles = maxOpenFiles();
  if (openFiles < maxConnections) {
    log.warn(
      { openFiles, maxConnections },
      'fewer files may be open than MAX_CONNECTIONS, and clients beyond are hung up on unnoticed: raise ulimit -n or LimitNOFILE',
    );
  }
  // From here on, so that a signal during the start is heard as well.
  const signal = stopSignal();
  const service = await startService({ config, log, writeLine, checksReplies: checkReplies });
  try {
    if (demo) await greet(service, config, print);
  } catch (error) {
    await service.stop();
    throw error;
  }
  log.info(
    {
      origin: service.origin,
      admin: service.adminOrigin,
      store: placeOf(config),
      version,
      node: process.version,
    },
    'listening',
  );
  // Whoever started it with a channel, as PM2 does and `npm run dev`, waits for this.
  process.send?.('ready');
  const received = await signal;
  log.info({ signal: received }, 'stopping; a second signal ends at once');
  // Ctrl-C comes from a person, who has no load balancer that would have to notice first.
  await service.stop(received === 'SIGINT' ? 0 : config.shutdownDelaySeconds * 1000);
  log.info('stopped');
  // An output that takes nothing must not keep the process. The timer alone does not either.
  setTimeout(() => process.exit(), LAST_PATIENCE).unref();
}

/** How many files this process may open, its connections among them; Node asks for as many as it can get. */
function maxOpenFiles(): number {
  try {
    return Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity);
  } catch {
    // Linux alone has this file.
    return Infinity;
  }
}

async function greet(
  { origin, store }: Service,
  { dataDir }: Config,
  print: ServiceLog['print'],
): Promise<void> {
  await seedDemoData(store);
  const key = await demoKey(store, dataDir, new Date());
  print(`
Petstore is running. Data is in ${dataDir}.

  List the orders:   curl -H 'Authorization: Bearer ${key}' ${origin}${basePath}/store/orders
  Cancel an order:   curl -i -X DELETE -H 'Authorization: Bearer ${key}' ${origin}${basePath}/store/orders/1
  Read the docs:     ${origin}/docs

`);
}

function placeOf({ databaseUrl, dataDir }: Config): string {
  return databaseUrl === undefined ? dataDir : `PostgreSQL at ${placeOfDatabase(databaseUrl)}`;
}

/** Resolves with the first signal to stop; a second one ends the process at once. */
function stopSignal(): Promise<NodeJS.Signals> {
  // Node.js would open its inspector at SIGUSR1, and end at SIGHUP.
  process.on('SIGUSR1', () => undefined);
  process.on('SIGHUP', () => undefined);
  const isHangUpIgnored = ignoresHangUp();
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      if (signal === 'SIGHUP' && isHangUpIgnored) continue;
      process.once(signal, () => {
        process.once(signal, () => process.exit(1));
        resolve(signal);
      });
    }
  });
}

/**
 * Whether `nohup` started this process, which must outlive its terminal. Node.js resets the signals that were ignored
 * before it started, but on a terminal nohup also leaves a standard input that can only be written to.
 */
function ignoresHangUp(): boolean {
  if (isRunByNohup()) return true;
  try {
    const [, flags = '0'] = /^flags:\s*([0-7]+)$/m.exec(readFileSync('/proc/self/fdinfo/0', 'utf8')) ?? [];
    const access = Number.parseInt(flags, 8) & ACCESS_MODE;
    return access === constants.O_WRONLY;
  } catch {
    // Only Linux has this file.
    return false;
  }
}
