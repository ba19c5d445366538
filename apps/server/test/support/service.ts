import type { PlanId } from '@petstore/contract';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { filesIn } from '../../src/data-dir.ts';
import { createKey } from '../../src/keys/create-key.ts';
import type { Quota } from '@petstore/contract/service';
import { startService } from '../../src/service.ts';
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

export type TestService = Awaited<ReturnType<typeof startTestService>>;

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
}: TestServiceOptions = {}) {
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
  /** Creates a key and returns it with its id. */
  const keyWithId = (plan: PlanId = 'business', quota?: Quota) =>
    createKey(service.store.keys, { name: 'test', plan, quota, now: new Date(clock()) });
  /** Requests a path under the origin, with `key` as bearer token where one is given. */
  const request = (target: string, { key, ...init }: RequestInit & { key?: string } = {}) => {
    const headers = new Headers(init.headers);
    if (key) headers.set('authorization', `Bearer ${key}`);
    return fetch(`${service.origin}${target}`, { redirect: 'manual', ...init, headers });
  };
  return {
    ...service,
    clock,
    dataDir,
    /** Log lines so far, parsed. */
    logged,
    keyWithId,
    key: async (plan?: PlanId, quota?: Quota) => (await keyWithId(plan, quota)).key,
    async addOrders(orders: Parameters<typeof importOrders>[1]) {
      const conflicts = await importOrders(service.store.orders, orders);
      if (conflicts.length > 0) throw new Error('these orders are there already');
    },
    addPets: (pets: Parameters<typeof importPets>[1]) => importPets(service.store.pets, pets),
    /** Creates a key that is never used up and returns it. */
    unlimitedKey: () => newKey(service.store),
    request,
    list: (key = '') => request('/v1/store/orders', { key }),
    cancel: (id: number | bigint | string, key = '') =>
      request(`/v1/store/orders/${id}`, { method: 'DELETE', key }),
    statusOf: async (id: number) =>
      (await storedOrders(service.store.orders)).find((order) => order.id === id)?.status,
    /** The status of `/readyz`, and the reason that it gives for one that is not 200. */
    async readiness(): Promise<[status: number, reason: string | undefined]> {
      const response = await request('/readyz');
      return [response.status, ((await response.json()) as { reason?: string }).reason];
    },
    /** The messages in the log that begin with `start`. */
    said: (start: string) => logged.map(({ msg }) => String(msg)).filter((msg) => msg.startsWith(start)),
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
