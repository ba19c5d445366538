import path from 'node:path';
import { freePort, startNginx } from '@petstore/local-stack';
import type { Bench, Part } from '../bench.ts';
import { checkConformance } from '../conformance.ts';
import { bearer, LIST, MISSING_ID, SHIPPED_ID } from '../data.ts';
import { cores } from '../machine.ts';
import { cpuOf, disturbanceNote, named, speedRatio, throughputTable, type Claim } from '../result.ts';
import { measure, underLoad, type HttpLoad, type Measured } from '../rounds.ts';
import { RAW, startPetstore, startRaw, type Server } from '../server.ts';
import { formatRatio, formatSpread, spreadOf } from '../statistics.ts';
import { fallbackNote, fillPostgres, requireStores, sharedFolder, startStores } from '../stores.ts';

const FIRST_ID = 100;
const MAX_PER_SECOND = 10_000;

/** The service on PostgreSQL and Redis. */
export const shared: Part = {
  name: 'shared',
  about: 'list of 100, cancel 204 and 409 with PostgreSQL and Redis',
  async run(bench) {
    const title = 'PostgreSQL and Redis';
    bench.step(`${title}: starting them`);
    const all: Measured[][] = [];
    const notes = new Set<string>();

    async function measureWith(count: number, loads: Record<string, Omit<HttpLoad, 'headers'>>) {
      const env = await startStores(bench);
      bench.step(`${title}: writing ${count} orders`);
      const data = await fillPostgres(bench, env.DATABASE_URL, count);
      const ours = await startPetstore(bench, data, { env });
      const raw = await startRaw(bench, await checkConformance('petstore', ours.origin, data, count <= 1000));
      for (const [name, each] of Object.entries(loads)) {
        const load = { ...each, headers: bearer(data.key) };
        all.push(
          await measure(bench, `${title}, ${name}`, [
            underLoad(bench, raw, load),
            underLoad(bench, { ...ours, name: `petstore, ${name}` }, load),
          ]),
        );
      }
      for (const note of await fallbackNote(ours)) notes.add(note);
      await ours.stop();
    }

    await measureWith(100, { 'list of 100': { method: 'GET', target: LIST, outcome: 'success' } });
    await measureWith((2 + bench.rounds * bench.seconds) * MAX_PER_SECOND, {
      'cancel, 204': {
        method: 'DELETE',
        target: `${LIST}/${MISSING_ID}`,
        firstId: FIRST_ID,
        outcome: 'success',
      },
      'cancel, 409': { method: 'DELETE', target: `${LIST}/${SHIPPED_ID}`, outcome: 'failure' },
    });
    return {
      title,
      tables: all.map((measured) => throughputTable(measured, RAW)),
      claims: [],
      notes: [
        'One instance of the service; PostgreSQL, Redis and the load share the other core. PostgreSQL commits to disk as it does by default.',
        ...notes,
        ...disturbanceNote(all.flat()),
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
