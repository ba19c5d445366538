import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Contract } from '@contract-kit/core';
import { keyText } from '@contract-kit/core/http';
import type { Quota } from '@contract-kit/core/limits';
import type { RequestHandler } from 'express';
import { pino } from 'pino';
import { readConfig, type Config } from '../config.ts';
import { filesIn as filesOf } from '../data-dir.ts';
import type { Features, ServiceDefinition } from '../feature.ts';
import { apiKeyFormat } from '../keys/api-key.ts';
import { createKey as createKeyBy, type CreateKeyOptions } from '../keys/create-key.ts';
import type { KeyStore } from '../keys/key-store.ts';
import { createMetrics } from '../metrics.ts';
import type { AnyHandler } from '../pipeline/dispatch.ts';
import { startService } from '../start.ts';
import {
  openPostgresStore as openInPostgres,
  type OpenPostgresOptions,
} from '../store/open-postgres-store.ts';
import { openSqliteStore as openInSqlite } from '../store/open-sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { createFaults } from './faults.ts';

/** A new folder. */
const newFolder = () => mkdtempSync(path.join(tmpdir(), 'service-test-'));

/** More than any test sends. */
const UNLIMITED = { perMinute: 10_000_000, perDay: 10_000_000 };

/** A clock for tests. It starts at a fixed time and moves only by `advance`. */
export interface TestClock {
  (): number;
  advance(milliseconds: number): void;
}

export function createClock(start = Date.parse('2026-11-21T12:00:00Z')): TestClock {
  let time = start;
  return Object.assign(() => time, { advance: (milliseconds: number) => void (time += milliseconds) });
}

export interface TestServiceOptions {
  readonly clock?: TestClock;
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly validatesResponses?: boolean;
  readonly demo?: boolean;
  /** Runs the background work of the features. */
  readonly background?: boolean;
  /** Values of the service's settings, instead of texts in `env`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Replaces the middleware of the service. */
  readonly middleware?: readonly RequestHandler[];
  /** Replace handlers of the features. */
  readonly handlers?: Readonly<Record<string, unknown>>;
}

interface InternalOptions extends TestServiceOptions {
  /** Only goes forward; by default `clock`. */
  readonly monotonic?: TestClock;
  /** Whether background work with `once` begins as late as in production. */
  readonly handsOver?: boolean;
}

/** A log, and its lines so far, parsed. */
function createLogged() {
  const logged: Record<string, unknown>[] = [];
  const write = (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>);
  return { logged, log: pino({ level: 'info', base: null }, { write }), writeLine: write };
}

/** Creates keys of a contract. */
function createTestKeys(contract: Contract) {
  const createKey = (keys: KeyStore, options: CreateKeyOptions) => createKeyBy(keys, contract, options);

  /** A key of the plan, by default one that is never used up. It has every scope. */
  async function newKey({ keys }: { readonly keys: KeyStore }, plan?: string): Promise<string> {
    const of = plan ? { plan } : { plan: 'enterprise', quota: UNLIMITED };
    const { scopes = [] } = contract;
    return (await createKey(keys, { name: 'test', now: new Date(), scopes, ...of })).key;
  }

  return { createKey, newKey };
}

function createStart<Of extends Features>(
  definition: ServiceDefinition<Of>,
  { createKey, newKey }: ReturnType<typeof createTestKeys>,
) {
  /**
   * The real service on a free port, in a new folder, with the clock of the test. Responses are validated against the
   * contract. Stop it at the end of the suite.
   */
  return async function startTestService({
    clock = createClock(),
    monotonic = clock,
    dataDir = newFolder(),
    env = {},
    validatesResponses = true,
    demo = false,
    background = false,
    settings = {},
    middleware,
    handlers,
    handsOver = false,
  }: InternalOptions = {}) {
    requireTexts(env);
    const { log, writeLine, logged } = createLogged();
    const running = { ...definition, ...(middleware && { middleware }) };
    const service = await startService(running, {
      config: testConfig(definition, { dataDir, env, settings }),
      metrics: createMetrics({ name: definition.contract.name, version: definition.version }),
      log,
      writeLine,
      validatesResponses,
      demo,
      background,
      // In a test, no instance that lost its connection may still be at work.
      ...(!handsOver && { handover: 0 }),
      ...(handlers && { handlers: handlers as Readonly<Record<string, AnyHandler>> }),
      now: clock,
      monotonic,
    });
    /** Creates a key and returns it with its id. */
    const keyWithId = (plan = 'business', quota?: Quota) =>
      createKey(service.store.keys, { name: 'test', plan, quota, now: new Date(clock()) });
    const request = requester(service.origin);
    return {
      ...service,
      clock,
      dataDir,
      /** Log lines so far, parsed. */
      logged,
      keyWithId,
      key: async (plan?: string, quota?: Quota) => (await keyWithId(plan, quota)).key,
      /** Creates a key that is never used up, with every scope, and returns it. */
      unlimitedKey: () => newKey(service.store),
      request,
      /** The status of `/readyz`, and its reason if that is not 200. */
      async readiness(): Promise<[status: number, reason: string | undefined]> {
        const response = await request('/readyz');
        return [response.status, ((await response.json()) as { reason?: string }).reason];
      },
      /** The messages in the log that begin with `start`. */
      messages: (start: string) =>
        logged.map(({ msg }) => String(msg)).filter((msg) => msg.startsWith(start)),
    };
  };
}

/** Throws if a variable has no text, such as the address of a database that did not start. */
function requireTexts(env: NonNullable<TestServiceOptions['env']>): void {
  for (const [name, value] of Object.entries<unknown>(env))
    if (typeof value !== 'string')
      throw new Error(`${name} is ${String(value)}: the test would run without it, such as on SQLite`);
}

/** The configuration by `env`, in which `settings` has values that need no text. */
function testConfig(
  definition: ServiceDefinition,
  { dataDir, env, settings }: Required<Pick<TestServiceOptions, 'dataDir' | 'env' | 'settings'>>,
): Config {
  const unset = Object.entries(definition.settings ?? {}).filter(([name]) => !(name in settings));
  const config = readConfig({ PORT: '0', DATA_DIR: dataDir, ...env }, Object.fromEntries(unset));
  return { ...config, settings: { ...config.settings, ...settings } };
}

/** Requests a path under `origin`, with `key` as bearer token if it is given. */
function requester(origin: string) {
  return (target: string, { key, ...init }: RequestInit & { key?: string } = {}) => {
    const headers = new Headers(init.headers);
    if (key) headers.set('authorization', keyText('Bearer', key));
    return fetch(`${origin}${target}`, { redirect: 'manual', ...init, headers });
  };
}

/** The test support of a service. Its contract has the plans `business` and `enterprise`, unless keys name others. */
export function createTestTools<Of extends Features>(definition: ServiceDefinition<Of>) {
  const contract: Contract = definition.contract;
  const keyFormat = apiKeyFormat(contract.keyPrefix);
  const filesIn = (dataDir: string) => filesOf(dataDir, contract.databaseFile);
  const { createKey, newKey } = createTestKeys(contract);
  const openSqliteStore = (dataDir: string): Promise<Store<Of>> => openInSqlite(definition, dataDir);
  const { breakTable, holdWriteLock } = createFaults((dataDir) => filesIn(dataDir).store);

  /** Opens the embedded store in `dataDir` as a command does, in this process. */
  async function withStore<Result>(
    dataDir: string,
    work: (store: Store<Of>) => Promise<Result>,
  ): Promise<Result> {
    const store = await openSqliteStore(dataDir);
    return work(store).finally(() => store.close());
  }

  return {
    keyFormat,
    generateApiKey: () => keyFormat.generate(),
    filesIn,
    createKey,
    newKey,
    openSqliteStore,
    openPostgresStore: (options: OpenPostgresOptions): Promise<Store<Of>> =>
      openInPostgres(definition, options),
    startTestService: createStart(definition, { createKey, newKey }),
    withStore,
    breakTable,
    holdWriteLock,
  };
}

/** Starts a service for a test, with `createTestTools`. */
export const startTestService = <Of extends Features>(
  definition: ServiceDefinition<Of>,
  options?: TestServiceOptions,
) => createTestTools(definition).startTestService(options);
