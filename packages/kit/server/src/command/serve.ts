import { type Contract, clientNames } from '@contract-kit/core';
import { isOpen, type Model } from '@contract-kit/core/model';
import { isRunByNohup, placeOfDatabase, readConfig, unreadSettings, type Config } from '../config.ts';
import { isSimple } from '../docs/reference.ts';
import { samplesOf } from '../docs/samples.ts';
import { servedAt } from '../docs/served.ts';
import { createLog, type ServiceLog } from './log.ts';
import { watchUncaughtErrors } from './uncaught-errors.ts';
import { redactorFor } from './redactor.ts';
import { OperatorError, ConfigError } from '../operator-error.ts';
import type { ServiceDefinition } from '../feature.ts';
import { createMetrics } from '../metrics.ts';
import { demoKey, seedDemoData } from '../store/demo.ts';
import { startService, type Service } from '../start.ts';

/** How long the process waits for its last output, in milliseconds. */
const EXIT_TIMEOUT = 2_000;

export interface ServeOptions {
  readonly port?: number;
  readonly host?: string;
  /** Fills an empty embedded store, and prints a key. */
  readonly demo?: boolean;
  readonly validateResponses?: boolean;
  /** Whether it runs jobs, by default. */
  readonly jobs?: boolean;
}

export async function serve(
  definition: ServiceDefinition,
  { demo = false, validateResponses = false, jobs = true, ...address }: ServeOptions,
): Promise<void> {
  const { version, contract } = definition;
  const config = { ...readConfig(undefined, definition.settings), ...address };
  if (demo && config.databaseUrl !== undefined) {
    throw new OperatorError(
      '--demo only fills the embedded store, never PostgreSQL: leave out --demo or DATABASE_URL',
    );
  }
  if (!jobs && config.databaseUrl === undefined) {
    throw new OperatorError(
      '--no-jobs needs PostgreSQL: without DATABASE_URL no other process can run the jobs of this store',
    );
  }
  if (config.opsPort === config.port && config.port !== 0)
    throw new ConfigError('bad configuration: ADMIN_PORT must be another port than that of the API');
  const metrics = createMetrics({ name: contract.name, version });
  const onFailure = logFailureNotes(contract.name, () => metrics.logFailures.inc());
  const { redactLine } = redactorFor(definition);
  const { log, writeLine, print } = await createLog({ ...config, onFailure, redactLine });
  for (const line of unreadSettings(undefined, definition.settings)) log.warn(line);
  // Before the start, so that a signal during it is not lost.
  const signal = stopSignal();
  const service = await startService(definition, {
    config,
    log,
    metrics,
    writeLine,
    validatesResponses: validateResponses,
    demo,
    background: true,
    runsJobs: jobs,
  });
  const uncaughtErrors = metrics.countUncaughtErrors();
  const uncaught = watchUncaughtErrors(log, () => uncaughtErrors.inc());
  try {
    if (demo) await greet(definition, service, config, print);
  } catch (error) {
    await service.stop();
    throw error;
  }
  log.info(
    {
      origin: service.origin,
      admin: service.opsOrigin,
      store: placeOf(config),
      version,
      node: process.version,
    },
    'listening',
  );
  // A parent with an IPC channel, such as PM2 or `npm run dev`, waits for this.
  process.send?.('ready');
  const received = await Promise.race([signal, uncaught.first]);
  log.info({ signal: received }, 'stopping; a second signal ends at once');
  if (received === undefined) endAnyway(signal, config);
  // Ctrl-C comes from a person, without a load balancer that must notice first.
  await service.stop(received === 'SIGINT' ? 0 : config.shutdownDelaySeconds * 1000);
  log.info('stopped');
  // A stalled output must not keep the process alive, nor must the timer.
  setTimeout(() => process.exit(), EXIT_TIMEOUT).unref();
  if (uncaught.count > 0)
    throw new OperatorError('stopped because of an error that was not caught: see the log');
}

/** Ends the process with a signal or after the grace period: what has failed may also keep a stop from ending. */
function endAnyway(signal: Promise<unknown>, { shutdownGraceSeconds }: Config): void {
  const end = () => process.exit(1);
  void signal.then(end);
  setTimeout(end, shutdownGraceSeconds * 1000 + EXIT_TIMEOUT);
}

async function greet(
  definition: ServiceDefinition,
  { origin, store, model }: Service,
  { dataDir }: Config,
  print: ServiceLog['print'],
): Promise<void> {
  const { contract } = definition;
  // The key first: it marks the store.
  const key = await demoKey(contract, store, dataDir, new Date());
  await seedDemoData(definition, store);
  const first = firstCall(contract, model, origin, key);
  // The first command may read what is open to everyone.
  const own = needsKey(model) && !first.includes(key) ? `\n  API key:         ${key}` : '';
  print(`
${contract.name} is running. Data is in ${dataDir}.

  Try it:          ${first}${own}
  Read the docs:   ${origin}/docs

`);
}

/** Whether an operation has no alternative without a key. */
function needsKey({ operations }: Model): boolean {
  return !operations.every(isOpen);
}

/** A command to paste: it reads, without a parameter if possible. */
function firstCall(contract: Contract, model: Model, origin: string, key: string): string {
  const served = servedAt({ contract, model }, { url: origin + contract.basePath });
  const reads = model.operations.filter(({ method }) => method === 'GET');
  const first = reads.find(isSimple) ?? reads[0];
  const [curl] = first ? samplesOf(served, first) : [];
  const { keyVariable } = clientNames(contract.name);
  return curl?.source.replaceAll(' \\\n ', '').replaceAll(`$${keyVariable}`, key) ?? `curl ${origin}/docs`;
}

/** Counts failures of the log, and reports the first on standard error. */
function logFailureNotes(name: string, count: () => void): (reason: string) => void {
  let isSaid = false;
  return (reason) => {
    count();
    if (isSaid) return;
    isSaid = true;
    console.error(
      `${name}: cannot write the log to standard output: ${reason}. The service runs on; log lines are lost.`,
    );
  };
}

function placeOf({ databaseUrl, dataDir }: Config): string {
  return databaseUrl === undefined ? dataDir : `PostgreSQL at ${placeOfDatabase(databaseUrl)}`;
}

/** Resolves with the first signal to stop; a second one ends the process at once. */
function stopSignal(): Promise<NodeJS.Signals> {
  // By default Node.js opens its inspector on SIGUSR1 and ends on SIGHUP.
  process.on('SIGUSR1', () => undefined);
  process.on('SIGHUP', () => undefined);
  const isHangUpIgnored = isRunByNohup();
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
