import type { Order, PlanId } from '@petstore/contract';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { filesIn } from '../../src/data-dir.ts';
import { createKey } from '../../src/keys/create-key.ts';
import type { Quota } from '@petstore/contract/service';
import type { OrderStatus } from '../../src/orders/order-store.ts';
import { startService, type Service } from '../../src/service.ts';
import { stopAtEnd } from './at-end.ts';
import { newFolder } from './folder.ts';
import { shared } from './shared.ts';
import { importOrders, importPets, newKey, storedOrders } from './store.ts';

/** A clock that tests set. It starts at a fixed time and moves only when told. */
export interface TestClock {
  (): number;
  /** Moves on by `milliseconds`. */
  advance(milliseconds: number): void;
}

export function createClock(start = Date.parse('2026-11-21T12:00:00Z')): TestClock {
  let time = start;
  return Object.assign(() => time, { advance: (milliseconds: number) => void (time += milliseconds) });
}

export interface TestService extends Service {
  readonly clock: TestClock;
  readonly dataDir: string;
  /** Log lines so far, parsed. */
  readonly logged: Record<string, unknown>[];
  /** Creates a key and returns it. */
  key(plan?: PlanId, quota?: Quota): Promise<string>;
  /** Creates a key that is never used up and returns it. */
  unlimitedKey(): Promise<string>;
  /** Creates a key and returns it with its id. */
  keyWithId(plan?: PlanId, quota?: Quota): Promise<{ id: string; key: string }>;
  addOrders(orders: readonly (Order & { status?: OrderStatus })[]): Promise<void>;
  addPets(pets: readonly { id: number; name?: string }[]): Promise<void>;
  /** Requests a path under the origin, with `key` as bearer token where one is given. */
  request(target: string, init?: RequestInit & { key?: string }): Promise<Response>;
  list(key?: string): Promise<Response>;
  cancel(id: number | bigint | string, key?: string): Promise<Response>;
  /** Of the order with the id, where there is one. */
  statusOf(id: number): Promise<OrderStatus | undefined>;
  /** The status of `/readyz`, and the reason that it gives for one that is not 200. */
  readiness(): Promise<[status: number, reason: string | undefined]>;
  /** The messages in the log that begin with `start`. */
  said(start: string): string[];
  /** Stops the service before the suite ends; its folder stays for `startTestService({ dataDir })`. */
  stop(): Promise<void>;
}

interface TestServiceOptions {
  readonly clock?: TestClock;
  readonly dataDir?: string;
  readonly env?: Record<string, string>;
  readonly checksReplies?: boolean;
  /** In place of some of the contract's. */
  readonly handlers?: object;
}

/** Adds so many orders that their list is streamed, and does not fit into the buffers of a connection. */
export function addManyOrders(dataDir: string): void {
  const database = new Database(filesIn(dataDir).store);
  // An import would take seconds.
  database.exec(`
    INSERT INTO orders (pet_id, quantity, ship_date, complete)
    WITH RECURSIVE pets (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM pets WHERE id < 120000)
    SELECT id, 1, '2026-11-21T12:00:00.000Z', 0 FROM pets`);
  database.close();
}

/** A log, and its lines so far, parsed. */
export function createLogged() {
  const logged: Record<string, unknown>[] = [];
  const write = (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>);
  return { logged, log: pino({ level: 'info', base: null }, { write }), writeLine: write };
}

/**
 * The real service, on a free port, in a folder of its own; only the clock is the test's. Replies are held against the
 * contract. It ends with the suite.
 */
export async function startTestService({
  clock = createClock(),
  dataDir = newFolder(),
  env = {},
  checksReplies = true,
  handlers,
}: TestServiceOptions = {}): Promise<TestService> {
  const { log, writeLine, logged } = createLogged();
  const config = readConfig({ PORT: '0', DATA_DIR: dataDir, ...env });
  const service = await startService({
    config,
    log,
    writeLine,
    checksReplies,
    handlers,
    now: clock,
    monotonic: clock,
  });
  stopAtEnd('service', () => service.stop());
  const keyWithId = (plan: PlanId = 'business', quota?: Quota) =>
    createKey(service.store.keys, { name: 'test', plan, quota, now: new Date(clock()) });
  const request: TestService['request'] = (target, { key, ...init } = {}) => {
    const headers = new Headers(init.headers);
    if (key) headers.set('authorization', `Bearer ${key}`);
    return fetch(`${service.origin}${target}`, { redirect: 'manual', ...init, headers });
  };
  return {
    ...service,
    clock,
    dataDir,
    logged,
    keyWithId,
    key: async (plan, quota) => (await keyWithId(plan, quota)).key,
    async addOrders(orders) {
      const conflicts = await importOrders(service.store.orders, orders);
      if (conflicts.length > 0) throw new Error('these orders are there already');
    },
    addPets: (pets) => importPets(service.store.pets, pets),
    unlimitedKey: () => newKey(service.store),
    request,
    list: (key = '') => request('/v1/store/orders', { key }),
    cancel: (id, key = '') => request(`/v1/store/orders/${id}`, { method: 'DELETE', key }),
    statusOf: async (id) =>
      (await storedOrders(service.store.orders)).find((order) => order.id === id)?.status,
    async readiness() {
      const response = await request('/readyz');
      return [response.status, ((await response.json()) as { reason?: string }).reason];
    },
    said: (start) => logged.map(({ msg }) => String(msg)).filter((msg) => msg.startsWith(start)),
  };
}

/**
 * One service for all tests of the suite, and a key of it that is never used up. Both are there from the first
 * `beforeAll` after it on.
 */
export function sharedService(options?: TestServiceOptions): TestService & { readonly ownKey: string } {
  return shared(async () => {
    const service = await startTestService(options);
    return { ...service, ownKey: await service.unlimitedKey() };
  });
}
