import { readFileSync } from 'node:fs';
import { basePath } from '@petstore/contract';
import { pino, type Logger } from 'pino';
import { placeOfDatabase, readConfig, type Config } from '../config.ts';
import { SetupError, WrongSetting } from '../setup-error.ts';
import { demoKey, seedDemoData } from '../store/demo.ts';
import { version } from '../version.ts';
import { startService, type Service } from '../service.ts';

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
  const log = await createLog(config);
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
  const service = await startService({ config, log, checksReplies: checkReplies });
  try {
    if (demo) await greet(service, config);
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
  await service.stop(received === 'SIGTERM' ? config.shutdownDelaySeconds * 1000 : 0);
  log.info('stopped');
  log.flush();
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

async function createLog({ logLevel }: Config): Promise<Logger> {
  const options = { level: logLevel, base: null };
  if (!process.stdout.isTTY) return pino(options, logDestination());
  const { default: pretty } = await import('pino-pretty');
  const messageFormat = '{msg}{if method} {method} {path} {status}{end}';
  return pino(options, pretty({ sync: true, singleLine: true, messageFormat, ignore: 'method,path,status' }));
}

/** Lines are written together where many come at once, as one write for each would cost as much as a short list. */
const LOG_CHUNK = 65_536;
/** How long a line may wait for others, in milliseconds; what waits is written when the process ends, but for kill -9. */
const LOG_DELAY = 100;
/** What is kept of a log that cannot be written; the rest is dropped. */
const MAX_UNWRITTEN_BYTES = 1_000_000;
/** How long the end waits for a reader of the log that takes nothing, in milliseconds. */
const LAST_PATIENCE = 2_000;

/** The most bytes that a character of a string takes up in UTF-8. */
const MAX_CHARACTER_BYTES = 3;

/** The standard output. One that cannot be written, on a full disk or to a frozen reader, stops no service, nor its end. */
function logDestination() {
  let deadline = Infinity;
  // Lines are joined here, because sonic-boom joins all that waits again for each that comes. It writes when told.
  const destination = pino.destination({
    dest: 1,
    sync: false,
    contentMode: 'buffer',
    minLength: MAX_UNWRITTEN_BYTES,
    maxWrite: MAX_UNWRITTEN_BYTES + 1,
    maxLength: MAX_UNWRITTEN_BYTES,
    retryEAGAIN: () => performance.now() < deadline,
  });
  // pino writes the rest at the end, and would try for ever where it cannot.
  const flushForEver = destination.flushSync.bind(destination);
  const flushSync = () => {
    try {
      flushForEver();
    } catch {
      // The deadline is over.
    }
  };
  destination.on('error', () => (destination.flushSync = () => {}));
  destination.on('write', () => (destination.flushSync = flushSync));
  let chunk = Buffer.alloc(0);
  let filled = 0;
  let unwritten = 0;
  destination.on('write', (bytes) => (unwritten -= bytes));
  destination.on('drop', (dropped: Buffer) => (unwritten -= dropped.length));
  const handOver = () => {
    if (filled === 0) return;
    unwritten += filled;
    // It takes buffers in this mode, whatever its types say.
    destination.write(chunk.subarray(0, filled) as unknown as string);
    chunk = chunk.subarray(filled);
    filled = 0;
  };
  const flush = () => {
    handOver();
    if (unwritten > 0) destination.flush();
  };
  setInterval(flush, LOG_DELAY).unref();
  const finish = () => {
    deadline = Math.min(deadline, performance.now() + LAST_PATIENCE);
    handOver();
  };
  process.prependListener('exit', finish);
  return {
    /** Called by pino's `flush`, with which the service ends. */
    flush: finish,
    // Each line becomes bytes at once, while it is in the processor's cache: a string of hundreds is in pieces all over.
    write(line: string) {
      const most = line.length * MAX_CHARACTER_BYTES;
      if (filled + most > chunk.length) flush();
      if (most > chunk.length) chunk = Buffer.allocUnsafe(Math.max(most, LOG_CHUNK));
      filled += chunk.write(line, filled);
    },
  };
}

async function greet({ origin, store }: Service, { dataDir }: Config): Promise<void> {
  await seedDemoData(store);
  const key = await demoKey(store, dataDir, new Date());
  console.log(`
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
  return new Promise((resolve) => {
    for (const each of ['SIGINT', 'SIGTERM'] as const) {
      process.once(each, () => {
        process.once(each, () => process.exit(1));
        resolve(each);
      });
    }
  });
}
