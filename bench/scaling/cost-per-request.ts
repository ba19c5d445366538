import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { basePath } from '@petstore/contract';
import { createKey } from '../../apps/server/src/keys/create-key.ts';
import { openPostgresDatabase } from '../../apps/server/src/database/postgres/database.ts';
import { openPostgresStore } from '../../apps/server/src/store/open-postgres-store.ts';
import { type Part, ask, startCluster } from '@petstore/local-stack';

const PLENTY = { perMinute: 1_000_000_000, perDay: 1_000_000_000 };
const LISTED = 100;
/** Ids of the orders that are cancelled: warming up from one, measured from the other. */
const WARMING = 1_000;
const MEASURED = 100_000;
const LAST = 400_000;

export interface CostOptions {
  readonly folder: string;
  readonly instances: number;
  /** How long each kind of request is sent. */
  readonly seconds: number;
  readonly connections: number;
  /** Where wrk is. */
  readonly wrk: string;
}

interface Kind {
  readonly what: string;
  readonly bearer: string;
  readonly succeeds: boolean;
  /** The script that wrk sends, where it is not the list that is asked for. */
  readonly script?: (first: number) => string;
}

/** What a request of one kind took, on average. */
export interface Cost {
  readonly what: string;
  readonly requests: number;
  readonly perSecond: number;
  /** Processor time in microseconds, by part; that of all instances together. */
  readonly cpu: Readonly<Record<string, number>>;
  readonly redisScripts: number;
  readonly postgresTransactions: number;
}

/** Puts load on a cluster on this machine, and sees what each part of it takes for a request. Linux alone. */
export async function costPerRequest(options: CostOptions): Promise<Cost[]> {
  const { folder, instances, seconds, connections, wrk } = options;
  const parts: Part[] = [];
  try {
    const cluster = await startCluster({
      folder,
      isThrownAway: true,
      instances,
      port: 0,
      onPart: (part) => parts.push(part),
      isStopping: () => false,
    });
    if (!cluster) throw new Error('it was stopped');
    const { databaseUrl: url, entry } = cluster;
    const store = await openPostgresStore({ url, onError: () => {} });
    const newKey = async (quota: typeof PLENTY) =>
      (await createKey(store.keys, { name: 'measured', plan: 'enterprise', now: new Date(), quota })).key;
    const [key, poor] = [await newKey(PLENTY), await newKey({ ...PLENTY, perDay: 1 })];
    await store.close();
    const database = openPostgresDatabase({ url, onError: () => {} });
    const addOrders = (first: number, last: number) =>
      database.transaction((client) =>
        client.query(
          `INSERT INTO orders (id, pet_id, quantity, ship_date, complete)
         SELECT n, n, 1, '2026-12-01T09:00:00.000Z', false FROM generate_series($1::int, $2::int) AS n`,
          [first, last],
        ),
      );

    async function measure({ what, bearer, succeeds, script }: Kind): Promise<Cost> {
      const load = async (duration: number, first: number) => {
        const lua = path.join(folder, 'load.lua');
        writeFileSync(lua, script?.(first) ?? '');
        const args = ['-t1', `-c${connections}`, `-d${duration}s`, '-s', lua];
        const header = `Authorization: Bearer ${bearer}`;
        const { stdout } = await promisify(execFile)(wrk, [
          ...args,
          '-H',
          header,
          `${entry}${basePath}/store/orders`,
        ]);
        return answersIn(stdout, succeeds);
      };
      await load(2, WARMING);
      const before = await readings();
      const { requests, perSecond } = await load(seconds, MEASURED);
      // PostgreSQL brings its statistics up to date once a second.
      await database.query('wait', 'SELECT pg_sleep(1.5)');
      const after = await readings();
      const per = (name: string) => ((after.get(name) ?? 0) - (before.get(name) ?? 0)) / requests;
      return {
        what,
        requests,
        perSecond,
        cpu: Object.fromEntries(
          ['nginx', 'instances', 'Redis', 'PostgreSQL'].map((name) => [name, 1e6 * per(name)]),
        ),
        redisScripts: per('scripts'),
        postgresTransactions: per('transactions'),
      };
    }

    async function readings(): Promise<Map<string, number>> {
      const found = new Map<string, number>();
      for (const { name, layer, program } of parts) {
        const group = layer === 'instances' ? 'instances' : name;
        found.set(group, (found.get(group) ?? 0) + cpuSeconds(program.child.pid ?? 0));
      }
      const stats = await ask(Number(new URL(cluster?.redisUrl ?? '').port), 'INFO commandstats\r\n');
      found.set('scripts', Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats ?? '')?.[1] ?? 0));
      const [row] = await database.query<{ done: number }>(
        'transactions',
        'SELECT xact_commit + xact_rollback AS done FROM pg_stat_database WHERE datname = current_database()',
      );
      found.set('transactions', row?.done ?? 0);
      return found;
    }

    await addOrders(6, LISTED);
    const costs = [await measure({ what: `a list of ${LISTED} orders`, bearer: key, succeeds: true })];
    await addOrders(LISTED + 1, LAST);
    costs.push(
      await measure({ what: 'a cancel that changes an order', bearer: key, succeeds: true, script: cancels }),
      await measure({ what: 'a refusal with 429', bearer: poor, succeeds: false }),
    );
    await database.close();
    return costs;
  } finally {
    for (const layer of ['entry', 'instances', 'stores'] as const)
      await Promise.all(parts.filter((part) => part.layer === layer).map((part) => part.stop()));
  }
}

/** A script for wrk that cancels one order after the other from `first` on, so that each cancel is a change. */
function cancels(first: number): string {
  return `local id = ${first}
request = function()
  id = id + 1
  return wrk.format("DELETE", "${basePath}/store/orders/" .. id)
end
`;
}

/** What wrk reports. Throws where an answer was not of the kind that is measured. */
function answersIn(report: string, succeed: boolean): { requests: number; perSecond: number } {
  const number = (pattern: RegExp) => Number(pattern.exec(report)?.[1] ?? 0);
  const requests = number(/(\d+) requests in/);
  const failed = number(/Non-2xx or 3xx responses: (\d+)/);
  if (requests === 0 || report.includes('Socket errors') || failed !== (succeed ? 0 : requests))
    throw new Error(`not the answers that were to be measured:\n${report}`);
  return { requests, perSecond: number(/Requests\/sec:\s+([\d.]+)/) };
}

/** Processor time that a process and its children have taken so far, from proc(5). Linux counts in hundredths. */
function cpuSeconds(pid: number): number {
  let ticks = 0;
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const fields = statOf(entry);
    const [, parent, , , , , , , , , , user, system] = fields;
    if (entry === String(pid) || parent === String(pid)) ticks += Number(user) + Number(system);
  }
  return ticks / 100;
}

/** The fields of a process after its name, the state first; none where it has ended. */
function statOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
  } catch {
    return [];
  }
}
