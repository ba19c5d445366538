import path from 'node:path';
import { freePort, startNginx } from '@petstore/local-stack';
import type { Bench } from '../bench.ts';
import type { Part } from '../part.ts';
import { checkConformance } from '../conformance.ts';
import { bearer, LIST, SHIPPED_ID, type Data } from '../data.ts';
import { cores } from '../machine.ts';
import {
  cpuOf,
  disturbanceNote,
  named,
  speedRatio,
  throughputTable,
  type Claim,
  type Table,
} from '../result.ts';
import { ADDRESSES, againstTheBetter } from './loads.ts';
import { profileOfLoad } from '../profile.ts';
import { measure, underLoad, type HttpLoad, type Measured } from '../rounds.ts';
import { OURS, RAW, startPeer, startPetstore, startRaw, type Server } from '../server.ts';
import { formatRatio, formatSpread, spreadOf } from '../statistics.ts';
import { fallbackNote, fillPostgres, requireStores, sharedFolder, startStores } from '../stores.ts';

const FIRST_ID = 100;
const MAX_PER_SECOND = 10_000;
const TARGET_OF_PEERS = 1.3;

/** The service on PostgreSQL and Redis, and the peers that are fast on the same two. */
export const shared: Part = {
  name: 'shared',
  about: 'list of 100, cancel 204 and 409, 401 and 429 with PostgreSQL and Redis, ours and the peers',
  async run(bench) {
    const title = 'PostgreSQL and Redis';
    bench.step(`${title}: starting them`);
    const tables: Table[] = [];
    const claims: Claim[] = [];
    const notes = new Set<string>();

    async function measureWith(count: number, loadsOf: (data: Data) => Record<string, HttpLoad>) {
      const env = await startStores(bench);
      bench.step(`${title}: writing ${count} orders`);
      const data = await fillPostgres(bench, env.DATABASE_URL, count);
      const settings = { env, trustProxy: true };
      const ours = await startPetstore(bench, data, { ...settings, canProfile: true });
      const servers = [ours];
      for (const peer of ['fastify', 'hono'] as const)
        servers.push(await startPeer(bench, peer, data, settings));
      const isShort = count <= 1000;
      const raw = await startRaw(bench, await checkConformance(OURS, ours.origin, data, isShort));
      for (const { name, origin } of servers.slice(1)) await checkConformance(name, origin, data, isShort);
      for (const [name, load] of Object.entries(loadsOf(data))) {
        // Each order is cancelled once, by whichever server.
        const subjects = [raw, ...servers].map((server, at) =>
          underLoad(bench, server, {
            ...load,
            ...(load.firstId !== undefined && { firstId: FIRST_ID + Math.max(0, at - 1) * (count / 3) }),
          }),
        );
        const measured = await measure(bench, `${title}, ${name}`, subjects);
        const { head, rows } = throughputTable(measured, RAW);
        const claim = againstTheBetter(`${title}, ${name}`, TARGET_OF_PEERS, measured);
        tables.push(
          { head: [name, ...head.slice(1)], rows },
          ...(await profileOfLoad(bench, [claim], subjects)),
        );
        claims.push(claim);
        for (const note of disturbanceNote(measured)) notes.add(`${name}: ${note}`);
      }
      for (const note of await fallbackNote(ours)) notes.add(note);
      for (const server of servers) await server.stop();
    }

    const listed = { method: 'GET' as const, target: LIST };
    const cancelled = { method: 'DELETE' as const, target: `${LIST}/${SHIPPED_ID}` };
    await measureWith(100, ({ key, exhausted }) => ({
      'list of 100': { ...listed, headers: bearer(key), outcome: 'success' },
      'cancel, 409': { ...cancelled, headers: bearer(key), outcome: 'failure' },
      'no key, 401': { ...listed, headers: {}, addresses: ADDRESSES, outcome: 'failure' },
      'quota of a key used up, 429': { ...listed, headers: bearer(exhausted), outcome: 'failure' },
    }));
    await measureWith(3 * (2 + (bench.rounds + 2) * bench.seconds) * MAX_PER_SECOND, ({ key }) => ({
      'cancel, 204': { ...cancelled, headers: bearer(key), firstId: FIRST_ID, outcome: 'success' },
    }));
    return {
      title,
      tables,
      claims,
      notes: [
        'One instance of each; PostgreSQL, Redis and the load share the other core. PostgreSQL commits to disk as it does by default. The peers ask PostgreSQL about a key on every request; the service does so every 5 s.',
        ...notes,
      ],
    };
  },
};

const ONE = 'one instance';
const TWO = 'two instances';
const TARGET = 1.6;
/** Two for the instances, one for the load, one for PostgreSQL, Redis and nginx. */
const CORES_NEEDED = 4;

/** Whether a second instance helps. */
export const instances: Part = {
  name: 'instances',
  about: 'two instances behind nginx on PostgreSQL and Redis, against one',
  async run(bench) {
    const title = 'Two instances behind nginx against one';
    bench.step(`${title}: starting them`);
    requireStores('nginx');
    const env = { ...(await startStores(bench)), INSTANCES: '2' };
    const data = await fillPostgres(bench, env.DATABASE_URL, 100);
    const first = await startPetstore(bench, data, { env, trustProxy: true });
    const second = await startPetstore(bench, data, { env, trustProxy: true, on: 'second' });
    const entries = [await behindNginx(bench, ONE, [first]), await behindNginx(bench, TWO, [first, second])];
    for (const { name, origin } of entries) await checkConformance(name, origin, data);
    const measured = await measure(
      bench,
      title,
      entries.map((entry) =>
        underLoad(bench, entry, {
          method: 'GET',
          target: LIST,
          headers: bearer(data.key),
          outcome: 'success',
        }),
      ),
    );
    return {
      title,
      tables: [throughputTable(measured, ONE)],
      notes: [
        'List of 100 orders, through deploy/nginx.conf.',
        ...(await Promise.all([first, second].map(fallbackNote))).flat(),
        ...disturbanceNote(measured),
      ],
      claims: [claimOf(measured)],
    };
  },
};

type Entry = Pick<Server, 'name' | 'origin' | 'cpuTime' | 'peakMemory'>;

/** The nginx that operators are given in front of servers, as one: their CPU time and memory together. */
async function behindNginx(bench: Bench, name: string, servers: readonly Server[]): Promise<Entry> {
  const port = await freePort();
  const nginx = await startNginx({
    folder: path.join(sharedFolder(bench), 'nginx'),
    port,
    instances: servers.map(({ origin }) => Number(new URL(origin).port)),
  });
  bench.onEnd(() => nginx.end('SIGQUIT'));
  const sum = (each: (server: Server) => number) =>
    servers.reduce((total, server) => total + each(server), 0);
  return {
    name,
    origin: `http://127.0.0.1:${port}`,
    cpuTime: () => sum((server) => server.cpuTime()),
    peakMemory: () => sum((server) => server.peakMemory()),
  };
}

function claimOf(measured: readonly Measured[]): Claim {
  const [subject, target] = ['two instances behind nginx', `≥ ${TARGET} × one, where the cores are free`];
  const ratio = speedRatio(measured, TWO, ONE);
  if (cores >= CORES_NEEDED)
    return { subject, target, measured: formatSpread(ratio, formatRatio), met: ratio.median >= TARGET };
  const [one, two] = [ONE, TWO].map((name) => formatSpread(spreadOf(cpuOf(named(measured, name)))));
  return {
    subject,
    target,
    measured: `this machine has ${cores} cores of ${CORES_NEEDED}; CPU µs per request: ${two}, of one instance ${one}`,
    met: undefined,
  };
}
