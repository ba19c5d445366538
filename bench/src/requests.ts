import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, startPostgresServer, startRedisServer } from '@kit/local-stack';
import { checkConformance } from './conformance.ts';
import { copyData, createData, root, type Data, type Place } from './data.ts';
import { exchange } from './exchange.ts';
import { applyLoad, warmUp, type Subject } from './load.ts';
import type { Section } from './report.ts';
import type { Row } from './rows.ts';
import { attempt, measureInRounds, type Run, type Stops } from './run.ts';
import { peers, startPeer, startPetstore, startRaw } from './server.ts';
import { format, formatRatio, formatSpread, ratios, spreadOf } from './statistics.ts';

const OURS = 'petstore';
const others = ['node:http', ...peers] as const;

/** The service, its peers and, for lists, `node:http` that sends the same bytes. */
export async function measureRequests(run: Run, rows: readonly Row[]): Promise<Section> {
  const lines: (readonly string[])[] = [];
  for (const row of rows) {
    const line = await attempt(run, row.name, async (stops) =>
      compare(run, row, await startSubjects(run, row, stops)),
    );
    if (line) lines.push(line);
  }
  return {
    title: 'Requests',
    note: `The columns of the others show their CPU time per request, as a multiple of the service's. In \`list-changing\` an order changes between requests; \`list-100-shared\` is on PostgreSQL and Redis, all others are on SQLite. All servers write an access log to a file, and \`NODE_ENV\` is \`production\`. The [peers](peers) look up a key in the database on each request; the service does so every 5 s.`,
    head: ['', 'requests/s', 'CPU µs/request', ...others, 'peak memory, MB', 'target'],
    rows: lines,
  };
}

/** Starts the servers of a row, and adds their stop functions to `stops`. */
async function startSubjects(run: Run, row: Row, stops: Stops): Promise<Subject[]> {
  run.say(`${row.name}: preparing ${row.orders} orders`);
  const subjects: Subject[] = [];
  const add = async (data: Data, start: Promise<Subject['server']>) => {
    const server = await start;
    stops.push(() => server.stop());
    subjects.push({ server, data });
    return server;
  };
  const place = row.isShared ? await startStores(run, stops) : undefined;
  const data = await createData(run, root, row.orders, place);
  // Before the service opens its store, because the file must be complete.
  const ofPeers = row.isShared
    ? [['fastify', data] as const]
    : peers.map((peer) => [peer, copyData(data, peer)] as const);
  const ours = await add(data, startPetstore(run, data, row.env));
  for (const [peer, copy] of ofPeers) await add(copy, startPeer(run, peer, copy, row.env));
  for (const subject of subjects) await checkConformance(subject);
  if (row.status === 200) {
    await add(data, startRaw(run, await exchange(ours.origin, row.request(data))));
  }
  return subjects;
}

async function compare(run: Run, row: Row, subjects: readonly Subject[]): Promise<string[]> {
  for (const subject of subjects) {
    run.say(`${row.name}: warming up ${subject.server.name}`);
    await warmUp(row, subject);
  }
  const loads = subjects.map(
    (subject) => [subject.server.name, () => applyLoad(row, subject, run.seconds)] as const,
  );
  const samples = await measureInRounds(run, row.name, Object.fromEntries(loads));
  const ours = samples[OURS] ?? [];
  const cpuOf = (name: string) => (samples[name] ?? []).map(({ cpu }) => cpu);
  const multiples = (name: string) => ratios(cpuOf(name), cpuOf(OURS));
  return [
    row.name,
    formatSpread(ours.map(({ perSecond }) => perSecond)),
    formatSpread(cpuOf(OURS)),
    ...others.map((name) => (name in samples ? formatSpread(multiples(name), formatRatio) : '')),
    format(subjects.find(({ server }) => server.name === OURS)?.server.peakMemory() ?? Number.NaN),
    verdict(row, (peer) => spreadOf(multiples(peer)).median),
  ];
}

function verdict({ target }: Row, medianOf: (peer: string) => number): string {
  if (!target) return '';
  const isMet = target.peers.every((peer) => medianOf(peer) >= target.ratio);
  return `${target.peers.join(', ')} ≥ ${target.ratio}: ${isMet ? 'met' : '**missed**'}`;
}

/** PostgreSQL, which commits to disk as it does by default, and Redis. */
async function startStores(run: Run, stops: Stops): Promise<Place> {
  // PostgreSQL does not run as root, and its own user must be able to enter the folder.
  const folder = mkdtempSync(path.join(tmpdir(), 'petstore-bench-'));
  chmodSync(folder, 0o711);
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const [postgresPort, redisPort] = [await freePort(), await freePort()];
  const postgres = await startPostgresServer({
    folder: path.join(folder, 'postgres'),
    port: postgresPort,
    maxConnections: 100,
    isThrownAway: false,
  });
  stops.push(() => postgres.end());
  const redis = await startRedisServer({ folder: path.join(folder, 'redis'), port: redisPort });
  stops.push(() => redis.end());
  return {
    DATA_DIR: path.join(run.folder, 'shared'),
    DATABASE_URL: `postgresql://postgres@127.0.0.1:${postgresPort}/postgres`,
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
  };
}
